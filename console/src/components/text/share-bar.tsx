const warnShare = 0.8;

/** A thin bar of what is used of an amount: it changes colour as that comes to its end. */
export const ShareBar = ({ used, of }: { readonly used: number; readonly of: number }) => {
  const share = of > 0 ? Math.min(1, Math.max(0, used / of)) : 1;
  const colour = share >= 1 ? 'text-bad' : share >= warnShare ? 'text-warn' : 'text-ok';
  return (
    <svg aria-hidden="true" viewBox="0 0 72 3" className={`h-[3px] w-18 rounded-full bg-off-bg ${colour}`}>
      <rect width={72 * share} height="3" fill="currentColor" />
    </svg>
  );
};
