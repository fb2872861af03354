import type { Page } from '@playwright/test';

/** Load times and layout shifts of a page. */
export interface FirstView {
  /** Milliseconds until the largest contentful paint. */
  readonly largestPaint: number;
  readonly layoutShift: number;
  /** KiB of JavaScript, gzip. */
  readonly scripts: number;
}

/** Reads the paints and shifts of a loaded page. */
export const readFirstView = (page: Page): Promise<Omit<FirstView, 'scripts'>> =>
  page.evaluate(async () => {
    const read = (type: string) =>
      new Promise<PerformanceEntryList>((resolve) => {
        new PerformanceObserver((list, observer) => {
          observer.disconnect();
          resolve(list.getEntries());
        }).observe({ type, buffered: true });
        // A page without such entries never calls back.
        setTimeout(() => resolve([]), 500);
      });
    const paints = await read('largest-contentful-paint');
    const shifts = await read('layout-shift');
    const layoutShift = shifts.reduce(
      (sum, shift) => sum + ('value' in shift && typeof shift.value === 'number' ? shift.value : 0),
      0,
    );
    return { largestPaint: Math.round(paints.at(-1)?.startTime ?? 0), layoutShift: Number(layoutShift.toFixed(3)) };
  });

/** Starts to record interaction times. Resolves to a function that reads the slowest so far, in milliseconds. */
export const watchInteractions = async (page: Page): Promise<() => Promise<number>> => {
  const durations = await page.evaluateHandle(() => {
    const noted: number[] = [];
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        if ('interactionId' in entry && entry.interactionId !== 0) noted.push(entry.duration);
      }
    });
    const observed = { type: 'event', durationThreshold: 16 };
    observer.observe(observed);
    return noted;
  });
  return async () => {
    // An entry is added with the frame after the interaction.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)));
    return Math.max(0, ...(await durations.jsonValue()));
  };
};

/** Scroll performance of a long list. */
export interface Scrolling {
  readonly frames: number;
  readonly p95FrameMs: number;
  readonly mostRows: number;
}

/** Scrolls the log's grid three rows a frame, with a jump to the middle of all records half way. */
export const scrollLog = (page: Page, frames: number): Promise<Scrolling> =>
  page
    .getByRole('grid')
    .locator('[role=rowgroup]')
    .last()
    .evaluate(async (port, count) => {
      const nextFrame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));
      const times: number[] = [];
      let mostRows = 0;
      let before = await nextFrame();
      for (let frame = 0; frame < count; frame += 1) {
        port.scrollTop = frame === Math.floor(count / 2) ? port.scrollHeight / 2 : port.scrollTop + 96;
        const now = await nextFrame();
        times.push(now - before);
        before = now;
        mostRows = Math.max(mostRows, port.querySelectorAll('[role=row]').length);
      }
      times.sort((a, b) => a - b);
      return { frames: count, p95FrameMs: Number((times[Math.floor(count * 0.95)] ?? 0).toFixed(1)), mostRows };
    }, frames);
