"""Speed and memory of the environment, beside peers."""
