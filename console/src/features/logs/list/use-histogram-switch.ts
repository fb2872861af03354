import { useEffect, useState } from 'react';
import { readPreference, writePreference } from '../../../lib/browser/storage.ts';
import { usePhone } from '../../../lib/hooks/use-media.ts';

const afterMs = 300;

/** The chart waits until the first view is complete: it is the largest piece of the page. */
const useLater = (): boolean => {
  const [later, setLater] = useState(false);
  useEffect(() => {
    const timer = setTimeout(setLater, afterMs, true);
    return () => clearTimeout(timer);
  }, []);
  return later;
};

/** Whether the chart is on screen: as this browser left it, at first where there is room for it. */
export const useHistogramSwitch = () => {
  const phone = usePhone();
  const [stored, setStored] = useState(() => readPreference('log-chart'));
  const shown = typeof stored === 'boolean' ? stored : !phone;
  const later = useLater();
  const flip = (): void => {
    writePreference('log-chart', !shown);
    setStored(!shown);
  };
  return { shown, ready: shown && later, flip };
};
