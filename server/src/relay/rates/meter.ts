import type { LimitMetric } from '@weir/contract/limits/limit-rules';

/** How much of a limit one subject has used. */
export interface Cell {
  /** The instant at which everything used is free again, in the meter's milliseconds (GCRA's theoretical arrival time). */
  freeAt: number;
  /** Calls that run now. */
  running: number;
}

/** What is to be counted of a subject. */
export interface Taking {
  readonly subject: string;
  readonly metric: LimitMetric;
  /** Requests, tokens or calls. */
  readonly amount: number;
}

/** What a call took of a cell. */
export interface Taken extends Taking {
  readonly meter: Meter;
  readonly cell: Cell;
  /** The cell's `freeAt` with this call: once it is past, nothing that the call took is left in the cell. */
  readonly freeAt: number;
}

/** Cells of all meters together. */
export interface Room {
  cells: number;
  readonly max: number;
}

/** Milliseconds; less is an error of the numbers, of which an instant has a thousandth. */
const roundingMs = 0.01;

/** Cells that are looked at for one new cell: more than one, so that the unused ones become fewer. */
const sweptPerCell = 4;

const isUnused = ({ freeAt, running }: Cell, now: number): boolean => running === 0 && freeAt <= now;

/** Looks at the cells that were looked at longest ago, and drops the unused ones. */
const sweep = (cells: Map<string, Cell>, room: Room, now: number): void => {
  let left = Math.min(sweptPerCell, cells.size);
  for (const [subject, cell] of cells) {
    if (left-- === 0) return;
    cells.delete(subject);
    if (isUnused(cell, now)) room.cells -= 1;
    else cells.set(subject, cell);
  }
};

/**
 * One limit for each of many subjects, kept in memory. Requests and tokens follow GCRA: the whole amount can be used at
 * once, and comes back evenly over the period. Cells of subjects that have used nothing are dropped when others need
 * the room. Where none can be dropped, new subjects share one cell until all its use is free again: a limit may become
 * tighter for want of room, never looser.
 */
export class Meter {
  /** Milliseconds; 0: the limit is of calls that run at the same time. */
  readonly periodMs: number;
  /** What a subject may use on this node. */
  private share: number;
  private readonly room: Room;
  private readonly cells = new Map<string, Cell>();
  private readonly shared: Cell = { freeAt: 0, running: 0 };

  constructor({ periodMs, share, room }: { readonly periodMs: number; readonly share: number; readonly room: Room }) {
    this.periodMs = periodMs;
    this.share = share;
    this.room = room;
  }

  /** What is used stays used, in units. */
  setShare(share: number, now: number): void {
    if (share === this.share) return;
    const scale = this.share / share;
    for (const cell of [...this.cells.values(), this.shared]) {
      const used = (cell.freeAt - now) * scale;
      if (used > 0) cell.freeAt = now + Math.min(used, this.periodMs);
    }
    this.share = share;
  }

  /** @param now milliseconds that never go back */
  cellOf(subject: string, now: number): Cell {
    return this.cells.get(subject) ?? this.newCell(subject, now);
  }

  /** Milliseconds until the amount fits; 0: now. More than the whole limit fits once all of it is free. Infinity: no time is known. */
  waitFor(cell: Cell, amount: number, now: number): number {
    if (this.periodMs === 0) return cell.running < this.share ? 0 : Number.POSITIVE_INFINITY;
    const needed = Math.min(amount, this.share) * this.interval();
    const wait = cell.freeAt + needed - this.periodMs - now;
    return wait > roundingMs ? wait : 0;
  }

  /** Counts it in the subject's cell, whether it fits or not. More than the whole limit takes all of it. */
  take(cell: Cell, { subject, metric, amount }: Taking, now: number): Taken {
    const taken = Math.min(amount, this.share);
    if (this.periodMs === 0) cell.running += 1;
    else cell.freeAt = Math.max(cell.freeAt, now) + taken * this.interval();
    return { meter: this, subject, metric, cell, amount: taken, freeAt: cell.freeAt };
  }

  /** Corrects what a call took to what it used: more is used now, less is given back as far as it has not come back. */
  correct({ subject, cell: taken, amount, freeAt }: Taken, used: number, now: number): void {
    const difference = (used - amount) * this.interval();
    if (difference <= 0) {
      taken.freeAt -= Math.min(-difference, Math.max(0, freeAt - now));
      return;
    }
    // The one that the call took from may have been dropped meanwhile.
    const cell = this.cellOf(subject, now);
    cell.freeAt = Math.max(cell.freeAt, now) + difference;
  }

  /** A call that ran has ended. */
  leave({ cell }: Taken): void {
    cell.running -= 1;
  }

  /** What the cell's subject may still use now, whole units. */
  remaining(cell: Cell, now: number): number {
    if (this.periodMs === 0) return Math.max(0, this.share - cell.running);
    const left = this.periodMs - Math.max(0, cell.freeAt - now);
    return Math.max(0, Math.floor(left / this.interval() + 1e-6));
  }

  /** Milliseconds until all of it is free again. */
  resetIn(cell: Cell, now: number): number {
    return Math.max(0, cell.freeAt - now);
  }

  /** Forgets every subject. */
  close(): void {
    this.room.cells -= this.cells.size;
    this.cells.clear();
  }

  private interval(): number {
    return this.periodMs / this.share;
  }

  private newCell(subject: string, now: number): Cell {
    sweep(this.cells, this.room, now);
    if (this.room.cells >= this.room.max || !isUnused(this.shared, now)) return this.shared;
    const cell: Cell = { freeAt: 0, running: 0 };
    this.cells.set(subject, cell);
    this.room.cells += 1;
    return cell;
  }
}
