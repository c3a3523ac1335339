"""Games against people: a page in the browser, and the terminal."""
