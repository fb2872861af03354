import type { Locator, Page } from '@playwright/test';
import { prepareRelay, chat, rowOf, signIn, toast } from '../support/actions.ts';
import { expect, test } from '../support/gateway.ts';

const stopsMax = 120;

/** Whether the element has the focus, shown by a ring around it or its container. */
const focusOf = (element: Element): 'elsewhere' | 'hidden' | 'shown' => {
  if (element !== document.activeElement) return 'elsewhere';
  for (let around: Element | null = element; around; around = around.parentElement) {
    if (getComputedStyle(around).outlineStyle !== 'none') return 'shown';
  }
  return 'hidden';
};

/** Presses Tab until the control has the focus, and checks that the focus is visible. */
const tabTo = async (page: Page, target: Locator): Promise<void> => {
  await expect(target).toBeVisible();
  for (let stops = 0; stops < stopsMax; stops += 1) {
    // Looked up again each time: a form whose data has just arrived may have replaced the control.
    const focus = await target.evaluate(focusOf);
    if (focus !== 'elsewhere') return expect(focus, `the ring around ${target.toString()}`).toBe('shown');
    await page.keyboard.press('Tab');
  }
  throw new Error(`${target.toString()} is not reached by Tab`);
};

const press = async (page: Page, target: Locator, key = 'Enter'): Promise<void> => {
  await tabTo(page, target);
  await page.keyboard.press(key);
};

const type = async (page: Page, target: Locator, text: string): Promise<void> => {
  await tabTo(page, target);
  await page.keyboard.type(text);
};

test('SHELL-01 without a mouse: sign in, create a channel and a key, redeem a code and filter the log', async ({
  page,
  gateway,
}) => {
  test.setTimeout(180_000);
  const made = await prepareRelay(gateway, 'gpt-4o-mini,gpt-4o');
  await chat(gateway, made, 'gpt-4o-mini');
  await chat(gateway, made, 'gpt-4o');
  const root = await gateway.signIn();
  const [code = ''] = await root.call<string[]>('POST', '/api/redemption/', { name: 'gift', quota: 500_000, count: 1 });
  const password = 'another good password';
  await root.call('PUT', '/api/user/self', { password });
  const entry = (name: string): Locator =>
    page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true });

  await page.goto('/login');
  await type(page, page.getByLabel('Username or e-mail'), 'root');
  await type(page, page.getByLabel('Password', { exact: true }), password);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Tokens' })).toBeVisible();

  const create = page.getByRole('link', { name: 'Create token' }).first();
  await press(page, create);
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(create).toBeFocused();
  await page.keyboard.press('Enter');
  await type(page, page.getByRole('textbox', { name: 'Name', exact: true }), 'By hand');
  await press(page, page.getByRole('switch', { name: 'Unlimited quota' }), 'Space');
  await press(page, page.getByRole('button', { name: 'Create', exact: true }));
  await press(page, page.getByRole('link', { name: 'Done' }));
  await expect(rowOf(page, 'By hand')).toContainText('Unlimited');

  await press(page, entry('Channel'));
  await press(page, page.getByRole('link', { name: 'Add channel' }).first());
  await type(page, page.getByRole('combobox', { name: 'Type' }), 'Moonshot');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('combobox', { name: 'Type' })).toHaveValue('Moonshot AI');
  await type(page, page.getByRole('textbox', { name: 'Name', exact: true }), 'Typed');
  await type(page, page.getByRole('textbox', { name: 'Key', exact: true }), 'sk-typed');
  await tabTo(page, page.getByRole('combobox', { name: 'Offered models' }));
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Delete');
  await page.keyboard.type('my-own');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Remove my-own' })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+Enter');
  await expect(rowOf(page, 'Typed')).toContainText('Moonshot AI');

  await press(page, entry('Top up'));
  await type(page, page.getByLabel('Top-up code'), code);
  await page.keyboard.press('Enter');
  await expect(toast(page, /top-up successful/i)).toBeVisible();

  await press(page, entry('Log'));
  await expect(page.getByRole('row').filter({ hasText: 'Production' })).toHaveCount(2);
  await type(page, page.getByRole('combobox', { name: 'Model name' }), 'gpt-4o-mini');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('row').filter({ hasText: 'Production' })).toHaveCount(1);
  await tabTo(page, page.getByRole('row').filter({ hasText: 'Production' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Cost breakdown' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('row').filter({ hasText: 'Production' })).toBeFocused();
});

/** Opens something over the page and presses Escape in the first task after it appears. */
const openAndEscape = async (page: Page, open: () => Promise<void>): Promise<void> => {
  const pressed = await page.evaluateHandle(() => {
    const { promise, resolve } = Promise.withResolvers<true>();
    const observer = new MutationObserver(() => {
      if (document.querySelector('[role=dialog],[role=alertdialog],[role=menu]') === null) return;
      observer.disconnect();
      setTimeout(() => {
        const target = document.activeElement ?? document.body;
        target.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
        resolve(true);
      });
    });
    observer.observe(document.body, { childList: true, subtree: true });
    return { promise };
  });
  await open();
  expect(await pressed.evaluate(({ promise }) => promise)).toBe(true);
};

test('SHELL-01 Escape closes a dialog, sheet or menu as soon as it is visible', async ({ page, gateway }) => {
  await prepareRelay(gateway);
  await signIn(page, gateway, '/token');
  const menuOf = page.getByRole('row').getByRole('button', { name: /^Actions/ });
  await expect(menuOf).toBeVisible();
  const over = page.locator('[role=dialog],[role=alertdialog],[role=menu]');
  const openings = {
    shortcuts: () => page.keyboard.press('?'),
    palette: () => page.keyboard.press('Control+k'),
    menu: () => menuOf.click(),
    question: async () => {
      await page.getByRole('checkbox', { name: 'Select Production' }).check();
      await page.getByRole('button', { name: 'Delete', exact: true }).click();
    },
  };
  for (const [name, open] of Object.entries(openings)) {
    await test.step(name, async () => {
      await openAndEscape(page, open);
      await expect(over).toHaveCount(0);
    });
  }
});

test('SHELL-01 Escape closes a form as soon as its first field has the focus', async ({ page, gateway }) => {
  // The sheet's code arrives after the form's, so that both appear at once.
  const form = page.waitForRequest(/token-form-screen-.*\.js$/);
  await page.route(/route-sheet-.*\.js$/, async (route) => {
    const url = (await form).url();
    await page.evaluate((address) => import(address).then(() => undefined), url);
    await route.continue();
  });
  await signIn(page, gateway, '/token');
  const create = page.getByRole('link', { name: 'Create token' }).first();
  await expect(create).toBeVisible();
  const pressed = page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const onFocus = ({ target }: FocusEvent): void => {
          if (!(target instanceof HTMLInputElement)) return;
          document.removeEventListener('focusin', onFocus);
          // After the page's synchronous work, before anything that it deferred.
          queueMicrotask(() => {
            target.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
            resolve();
          });
        };
        document.addEventListener('focusin', onFocus);
      }),
  );
  await create.dispatchEvent('click');
  await pressed;
  await expect(page).toHaveURL(/\/token$/);
  await expect(page.getByRole('dialog')).toHaveCount(0);
});
