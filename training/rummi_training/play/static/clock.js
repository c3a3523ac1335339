// The time of a turn, counted down between what the server tells of it.

const LATE = 10_000; // milliseconds from which on it is shown as little

export class Clock {
  // over: called a moment after the time is up.
  constructor(over) {
    this.over = over;
    this.ends = null;
  }

  set(told) {
    clearInterval(this.ticking);
    this.ends = told ? performance.now() + told.left * 1000 : null;
    if (told) this.ticking = setInterval(() => this.tick(), 250);
  }

  stop() {
    clearInterval(this.ticking);
  }

  show(element) {
    this.element = element;
    this.tick();
  }

  tick() {
    if (this.ends === null) return;
    const left = Math.max(this.ends - performance.now(), 0);
    if (this.element) {
      this.element.textContent = `${Math.ceil(left / 1000)} s`;
      this.element.classList.toggle("late", left < LATE);
    }
    if (left > 0) return;
    this.stop();
    // So that the server's clock has run out as well.
    setTimeout(this.over, 100);
  }
}
