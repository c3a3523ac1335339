// Sends how the tiles of a turn lie. While an answer is awaited only the last change is
// kept; what could not be sent is sent once the server answers again.

export class Sender {
  // lay: sends, and returns a promise of the answer; wants: laid() tells how the tiles lie, answered(answer, laid) and
  // failed(error) take what comes back, busy(flag) shows that an answer is awaited.
  constructor(lay, wants) {
    this.lay = lay;
    this.wants = wants;
    this.awaited = null;
    this.again = false;
    this.unsent = false;
  }

  send() {
    if (this.awaited) {
      this.again = true;
      return;
    }
    this.again = false;
    this.wants.busy(true);
    this.awaited = this.sendOnce().finally(() => {
      this.awaited = null;
      if (this.again) this.send();
      else this.wants.busy(false);
    });
  }

  async sendOnce() {
    const laid = this.wants.laid();
    const start = performance.now();
    try {
      const answer = await this.lay(laid);
      this.unsent = false;
      if (this.wants.answered(answer, laid))
        performance.measure("round trip", { start });
    } catch (error) {
      this.again = false;
      this.unsent = error.status === 0;
      this.wants.failed(error);
    }
  }

  // Waits for the answer, and sends nothing after it.
  async settled() {
    this.again = false;
    await this.awaited;
  }
}
