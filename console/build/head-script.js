/**
 * Runs in the document head before anything else: no flash of the wrong theme, no wait for the boot chunk to
 * learn which chunks the address needs, and the first requests are sent before any module has arrived. It opens the entry
 * once the first frame, with the opening mark, is painted.
 * Uses no syntax that the build would have to transpile; its hash is in the content security policy.
 */
export const headScript = (routes, entry, server) => {
  const read = (key) => {
    try {
      return JSON.parse(localStorage.getItem(key));
    } catch {
      return null;
    }
  };
  const root = document.documentElement;
  const status = read('status') || {};
  const wanted = read('weir:theme') || status.theme;
  const systemTheme = matchMedia('(prefers-color-scheme:dark)').matches ? 'dark' : 'light';
  root.dataset.theme = wanted === 'light' || wanted === 'dark' ? wanted : systemTheme;
  root.lang = read('weir:language') || (/^zh/i.test(navigator.language) ? 'zh-CN' : 'en');

  const user = read('user');
  const routeAt = (address) => routes.find(([pattern]) => new RegExp(pattern).test(address));
  let route = routeAt(location.pathname);
  const leads = !route[1] || user;
  if (!leads) route = routeAt('/login');
  if (route[6]) root.dataset.entry = 'auth';
  const files = matchMedia('(width < 768px)').matches ? route[2].concat(route[5]) : route[2];
  for (const file of files) {
    const link = document.createElement('link');
    link.rel = 'modulepreload';
    link.href = file;
    document.head.append(link);
  }
  const early = {};
  window.weirEarly = early;
  const requests = ['/api/status'];
  const wantedRequests = user && user.role >= 10 ? route[4] : route[3];
  if (leads && wantedRequests && !location.search) {
    // A range that counts back from now must count from the same time when the screen sends the request.
    const moment = Math.floor(Date.now() / 1000);
    if (wantedRequests.includes('{dayAgo}')) window.weirMoment = moment;
    const filled = wantedRequests
      .replace('{dayAgo}', moment - 86400)
      .replace('{weekBegin}', (Math.floor(moment / 86400) - 6) * 86400);
    // Requests beyond the specification are only sent to a server that is known to support them.
    for (const url of filled.split(' ')) if (url[0] !== '+' || status.build) requests.push(url.replace(/^\+/, ''));
  }
  for (const path of requests) {
    const url = server + path;
    early[url] = fetch(url);
    early[url].catch(() => {});
  }
  if (!entry) return;
  const open = () => void import(entry);
  addEventListener('DOMContentLoaded', () => {
    requestAnimationFrame(() => setTimeout(open));
    // A hidden tab paints no frame. The module is evaluated once.
    setTimeout(open, 100);
  });
};
