const monthsPerYear = 12;

/** The month of an instant, counted from January 1970 by UTC. */
export const monthAt = (unixSeconds: number): number => {
  const date = new Date(unixSeconds * 1000);
  return (date.getUTCFullYear() - 1970) * monthsPerYear + date.getUTCMonth();
};

/** Unix seconds at which a month begins. */
export const startOfMonth = (month: number): number => Date.UTC(1970, month) / 1000;
