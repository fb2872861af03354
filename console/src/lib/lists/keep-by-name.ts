/** The rows of a whole list whose name has the searched text; undefined: all. */
export const keepByName = ({ q }: { readonly q?: string | undefined }) => {
  const wanted = q?.toLowerCase();
  return wanted === undefined
    ? undefined
    : ({ name }: { readonly name: string }) => name.toLowerCase().includes(wanted);
};
