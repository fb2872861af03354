import type { CallTimes } from '../limits.ts';

/** When a call takes too long, on the monotonic clock: for the next data, and for the whole call. */
export class CallDeadlines {
  private paused = false;
  private silentUntil: number;
  private readonly totalUntil: number;
  private readonly times: CallTimes;

  constructor(times: CallTimes) {
    const now = performance.now();
    this.times = times;
    this.silentUntil = now + times.firstByteMs;
    this.totalUntil = now + times.totalMs;
  }

  arePassed(now: number): boolean {
    return now > this.totalUntil || (!this.paused && now > this.silentUntil);
  }

  /** The request waits for the client: the upstream owes nothing meanwhile. */
  onRequestWaits(): void {
    this.silentUntil = Infinity;
  }

  onRequestSent(): void {
    this.silentUntil = performance.now() + this.times.firstByteMs;
  }

  onData(): void {
    this.silentUntil = performance.now() + this.times.idleMs;
  }

  /** Nothing is read, so nothing arrives. */
  pause(): void {
    this.paused = true;
  }

  resume(): void {
    this.paused = false;
    this.onData();
  }
}
