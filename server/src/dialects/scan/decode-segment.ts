/** A decoded segment of a path. */
export const decodeSegment = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
