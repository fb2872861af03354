/** 14 px; appears after 150 ms, so that short requests show none. */
export const Spinner = () => (
  <span
    aria-hidden="true"
    className="size-3.5 shrink-0 animate-[spin_700ms_linear_infinite,late_150ms_step-end] rounded-full border-2 border-current border-r-transparent"
  />
);
