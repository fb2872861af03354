import type { Plugin } from 'vite';

const file = /\/@tanstack\/react-router\/dist\/esm\/Match\.js$/;
const thrown = 'if (router._tx) throw router._tx[5];';

/**
 * A screen on its way is drawn by the router as its pending component, and drawn again when its match changes. The
 * router also throws the promise of the load, which only React's transitions need. Preact tries again as soon as that
 * promise has settled, but listens for changes of the match no earlier than after the next frame: a load that ended in
 * between was drawn as pending, thrown and tried again without end, and the frame never came. The page stood still.
 */
export const routerPending = (): Plugin => ({
  name: 'weir:router-pending',
  transform(code, id) {
    if (!file.test(id)) return null;
    const calm = code.replace(thrown, '');
    if (calm === code) throw new Error(`what the router throws for a pending screen is not where it was: ${id}`);
    return { code: calm, map: null };
  },
});
