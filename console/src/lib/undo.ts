import { createStore, useStore } from './store.ts';

const offerMs = 5000;

interface Offer {
  readonly key: string;
  readonly run: () => void;
}

const offers = createStore<readonly Offer[]>([]);

const withdraw = (offer: Offer): void => offers.set(offers.get().filter((each) => each !== offer));

/** Offers to undo a change for 5 s, beside the control with this `key`. */
export const offerUndo = (key: string, run: () => void): void => {
  const offer: Offer = {
    key,
    run: () => {
      withdraw(offer);
      run();
    },
  };
  offers.set([...offers.get().filter((each) => each.key !== key), offer]);
  setTimeout(withdraw, offerMs, offer);
};

export const useUndo = (key: string): (() => void) | undefined =>
  useStore(offers).find((offer) => offer.key === key)?.run;
