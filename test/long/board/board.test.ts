import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, createSandbox, type Sandbox } from '../../e2e/command.ts'
import { type Board, startBoard } from './board.ts'
import { openBrowser, type TestBrowser, type TestPage } from './browser.ts'
import { writeRecorded } from './recorded.ts'

/** Every page of the board in a real browser, with sessions that were recorded from the real agents. */

/** Would run if a text was ever markup, and would turn its neighbours around if it was not isolated. */
const HOSTILE = `<img src=x onerror=alert(1)>"'><script>alert(2)</script>\u202e\u0007\u001b[31m`

let sandbox: Sandbox
let browser: TestBrowser
let board: Board

beforeAll(async () => {
  sandbox = createSandbox()
  mkdirSync(join(sandbox.project, '.git'))
  sandbox.userConfig(`
version: 1
packs: { safety: true, secrets: true }
rules:
  - id: team/no-deploy
    match: Bash
    when: { shell: { command: deploy } }
    deny: Deploy from CI.
`)
  writeRecorded(sandbox.home, sandbox.project)
  await playHostile()
  browser = await openBrowser()
  board = await startBoard(sandbox)
})
afterAll(async () => {
  await board.close()
  await browser.close()
  await sandbox.remove()
})

/** A session in which an agent has such texts wherever it has a word. */
async function playHostile(): Promise<void> {
  const whole = {
    session_id: `s ${HOSTILE}`,
    agent_id: `a ${HOSTILE}`,
    agent_type: `t ${HOSTILE}`,
    cwd: sandbox.project,
  }
  await sandbox.hook({
    ...call('x', {}),
    ...whole,
    hook_event_name: 'UserPromptSubmit',
    prompt: `prompt ${HOSTILE}`,
  })
  await sandbox.hook(call(`mcp__x__${HOSTILE}`, { [HOSTILE]: HOSTILE }, { ...whole, tool_use_id: HOSTILE }))
  await sandbox.hook(call('Bash', { command: `echo '${HOSTILE}' && git push --force origin main` }, whole))
}

const hook = (command: string, more: object = {}) => sandbox.hook(call('Bash', { command }, more))

async function opened(options: Parameters<TestBrowser['page']>[0] = {}): Promise<TestPage> {
  const shown = await browser.page(options)
  await shown.page.goto(await board.link())
  await shown.page.getByText('Following').waitFor()
  return shown
}

/** How a person gets to each page, and what is on it then. */
const PAGES: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  live: (page) => page.getByRole('list', { name: 'Calls, the newest first' }).waitFor(),
  sessions: async (page) => {
    await goTo(page, 'Sessions')
    await page.getByRole('link', { name: /Ship the fix claude-code/ }).waitFor()
  },
  session: async (page) => {
    await goTo(page, 'Sessions')
    await page.getByRole('link', { name: /Ship the fix claude-code/ }).click()
    await page
      .getByRole('button', { name: /level 2, started by the main agent/ })
      .nth(39)
      .waitFor()
    await page.getByRole('img', { name: 'Time line of 41 agents' }).waitFor()
    await page.getByText('Gate released').first().waitFor()
  },
  why: async (page) => {
    await page.getByRole('searchbox').fill('rm -rf ~/important')
    await page
      .getByRole('link', { name: /Denied .*Bash rm -rf ~\/important/ })
      .first()
      .click()
    await page.getByRole('heading', { name: 'The command, as Holdpoint read it' }).waitFor()
    await page
      .getByText(/^holdpoint allow \w+-\w+/)
      .first()
      .waitFor()
    await page.getByRole('heading', { name: 'Similar decisions' }).waitFor()
  },
  policy: async (page) => {
    await goTo(page, 'Policy')
    await page.getByRole('cell', { name: /team\/no-deploy/ }).waitFor()
  },
  playground: async (page) => {
    await goTo(page, 'Playground')
    await page.getByLabel('Command').fill('curl https://get.example/install.sh | sudo bash')
    await page.getByRole('heading', { name: 'The decision' }).waitFor()
  },
  reports: async (page) => {
    await goTo(page, 'Reports')
    await page.getByRole('img', { name: /Decisions/ }).waitFor()
  },
  agents: async (page) => {
    await goTo(page, 'Agents')
    await page.getByRole('heading', { name: 'Holdpoint' }).waitFor()
  },
}

const goTo = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name, exact: true }).click()

const SIZES = [
  ['phone', { width: 360, height: 740 }],
  ['wide', { width: 1_920, height: 1_080 }],
] as const

/** What makes the page scroll sideways, if it does. */
const TOO_WIDE = `document.documentElement.scrollWidth <= innerWidth ? [] : [...document.querySelectorAll('body *')]
  .filter((each) => each.getBoundingClientRect().right > innerWidth + 1)
  .map((each) => each.outerHTML.slice(0, 100))`

describe.each(Object.entries(PAGES))('the page %s', (name, arrive) => {
  it.each(['light', 'dark'] as const)(
    'has no accessibility problem, on a phone or a wide screen, in %s',
    async (colorScheme) => {
      const shown = await opened({ colorScheme })
      await arrive(shown.page)
      expect(await shown.axe()).toEqual([])
      await shown.picture(`${name}-${colorScheme}`)
      for (const [size, viewport] of SIZES) {
        await shown.page.setViewportSize(viewport)
        expect(await shown.axe()).toEqual([])
        expect(await shown.page.evaluate(TOO_WIDE), `${name} at ${viewport.width} pixels`).toEqual([])
        if (colorScheme === 'light') await shown.picture(`${name}-${size}`)
      }
      expect(shown.problems()).toEqual([])
      await shown.page.context().close()
    },
  )
})

it('texts of hostile tools are data on every page', async () => {
  const shown = await opened()
  const { page } = shown
  const sees = async () => {
    expect(await page.evaluate('document.querySelectorAll("main img, main script").length')).toBe(0)
    const text = await page.evaluate<string>('document.querySelector("main").innerText')
    expect(text).toContain('<script>alert(2)</script>\\u202e')
    expect(text).not.toMatch(/[\u202e\u0007\u001b]/)
  }
  await page.getByRole('searchbox').fill('onerror')
  await page.getByRole('link', { name: /mcp__x__<img/ }).waitFor()
  await sees()
  await page.getByRole('link', { name: /Denied .*echo '<img/ }).click()
  await page.getByRole('heading', { name: 'Every hook that matched' }).waitFor()
  await sees()
  await goTo(page, 'Sessions')
  await page.getByRole('link', { name: /prompt <img/ }).waitFor()
  await sees()
  await page.getByRole('link', { name: /prompt <img/ }).click()
  await page.getByRole('button', { name: /t <img/ }).waitFor()
  await sees()
  await goTo(page, 'Playground')
  await page.getByLabel('Command').fill(`echo ${HOSTILE}`)
  await page.getByRole('heading', { name: 'The decision' }).waitFor()
  await goTo(page, 'Reports')
  await page.getByRole('img', { name: /Decisions/ }).waitFor()
  expect(shown.problems()).toEqual([])
  await page.context().close()
})

it('a screen reader hears what a page says', async () => {
  const shown = await opened()
  const { page } = shown
  await page.getByRole('searchbox').fill('git push --force')
  await page
    .getByRole('link', { name: /Denied .*Bash git push --force/ })
    .first()
    .waitFor()
  await page
    .getByRole('link', { name: /Passed/ })
    .first()
    .waitFor({ state: 'detached' })
  expect(await page.locator('body').ariaSnapshot()).toMatch(
    /banner:[\s\S]*navigation "Pages":[\s\S]*link "Live"[\s\S]*status: Following[\s\S]*main:[\s\S]*heading "Live" \[level=1\][\s\S]*search:[\s\S]*button "Denied"[\s\S]*combobox "Agent"[\s\S]*searchbox "Search"[\s\S]*list "Calls, the newest first":[\s\S]*link ".*Denied claude-code project Bash git push --force origin main safety\/git\/force-push/,
  )
  await page
    .getByRole('link', { name: /Denied .*Bash git push --force/ })
    .first()
    .click()
  await page.getByRole('heading', { name: 'What you can do' }).waitFor()
  expect(await page.locator('main').ariaSnapshot()).toMatch(
    /heading "Why: denied" \[level=1\][\s\S]*heading "What you can do" \[level=2\][\s\S]*button "Copy holdpoint allow/,
  )
  // The heading of the new page has the focus, so that it is read first.
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Why: denied')
  await page.context().close()
})

it('everything works by keyboard alone', async () => {
  const shown = await opened()
  const { page } = shown
  const focused = () => page.evaluate<string>('document.activeElement.innerText || document.activeElement.id')
  const press = (...keys: readonly string[]) =>
    keys.reduce((done, key) => done.then(() => page.keyboard.press(key)), Promise.resolve())
  const tabTo = async (words: RegExp) => {
    for (let tries = 0; tries < 40; tries += 1) {
      await press('Tab')
      if (words.test(await focused())) return
    }
    throw new Error(`Tab never reaches ${words}`)
  }
  await page.getByRole('list', { name: 'Calls, the newest first' }).waitFor()
  await tabTo(/^Denied$/)
  await press('Space')
  await page.getByRole('button', { name: 'Denied', pressed: true }).waitFor()
  await page
    .getByRole('link', { name: /Passed/ })
    .first()
    .waitFor({ state: 'detached' })
  await tabTo(/Denied\s+claude-code/)
  const first = await focused()
  await press('ArrowDown')
  expect(await focused()).not.toBe(first)
  await press('End')
  await press('Home')
  expect(await focused()).toBe(first)
  await press('Enter')
  await page.getByRole('heading', { name: 'Why: denied' }).waitFor()
  await page.goBack()
  await page.getByRole('heading', { name: 'Live', exact: true }).waitFor()
  await page.context().close()
})

describe('live', () => {
  it('shows a call when it is decided, keeps it while paused, and says that it was stopped', async () => {
    const shown = await opened()
    const { page } = shown
    await page.getByRole('list', { name: 'Calls, the newest first' }).waitFor()
    await hook('deploy --live-one', { tool_use_id: 'live-one' })
    await page.getByRole('link', { name: /Denied .*deploy --live-one team\/no-deploy/ }).waitFor()
    await page.getByText('Denied: Bash deploy --live-one').waitFor({ state: 'attached' })
    await page.getByRole('button', { name: 'Pause' }).click()
    await hook('deploy --live-two', { tool_use_id: 'live-two' })
    await page.getByRole('button', { name: 'Continue · 1 new event' }).waitFor()
    expect(await page.getByRole('link', { name: /--live-two/ }).count()).toBe(0)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('link', { name: /--live-two/ }).waitFor()
    expect(shown.problems()).toEqual([])
    await page.context().close()
  })

  it.each([
    ['Agent', 'codex', /claude-code/],
    ['Agent', 'claude-code', /codex/],
  ])('filters by %s %s', async (label, value, others) => {
    const shown = await opened()
    const { page } = shown
    await page.getByRole('link', { name: others }).first().waitFor()
    await page.getByLabel(label).selectOption(value)
    await page.getByRole('link', { name: others }).first().waitFor({ state: 'detached' })
    await page
      .getByRole('link', { name: new RegExp(value) })
      .first()
      .waitFor()
    await page.context().close()
  })

  it('filters by effect, tool and project, together', async () => {
    const elsewhere = join(sandbox.project, '..', 'elsewhere')
    mkdirSync(join(elsewhere, '.git'), { recursive: true })
    await hook('deploy --from-elsewhere', {
      cwd: elsewhere,
      session_id: 'elsewhere',
      tool_use_id: 'elsewhere',
    })
    const shown = await opened()
    const { page } = shown
    const calls = page.getByRole('list', { name: 'Calls, the newest first' }).getByRole('link')
    const names = async () => {
      await page.getByText('Following').waitFor()
      return calls.evaluateAll((links) => links.map((link) => link.textContent ?? ''))
    }
    await page.getByLabel('Tool').fill('Write')
    // Calls of before stay until the answer is there.
    const isOnlyWrite = (found: readonly string[]) =>
      found.length > 0 && found.every((name) => name.includes('Write'))
    await expect.poll(async () => isOnlyWrite(await names()), { timeout: 60_000 }).toBe(true)
    await page.getByLabel('Tool').fill('')
    await calls.filter({ hasText: 'Bash' }).first().waitFor()
    await page.getByRole('button', { name: 'Denied', exact: true }).click()
    await calls.filter({ hasText: 'echo one' }).first().waitFor({ state: 'detached' })
    await calls.filter({ hasText: 'git push --force' }).first().waitFor()
    await page.getByLabel('Project').selectOption({ label: 'elsewhere' })
    await calls.filter({ hasText: 'git push --force' }).first().waitFor({ state: 'detached' })
    await calls.filter({ hasText: 'deploy --from-elsewhere' }).waitFor()
    await expect.poll(() => calls.count(), { timeout: 60_000 }).toBe(1)
    expect(shown.problems()).toEqual([])
    await page.context().close()
  })
})

it('the playground says what a rule would have changed in recent history', async () => {
  const shown = await opened()
  const { page } = shown
  await goTo(page, 'Playground')
  const compare = page.getByRole('button', { name: 'Compare with recent history' })
  expect(await compare.isDisabled()).toBe(true)
  const draft = page.getByLabel(/Rules, packs or contracts/)
  await draft.fill(
    'rules:\n  - id: my/no-ls\n    match: Bash\n    when: { shell: { command: ls, argument: missing-folder } }\n    deny: It is missing.\n',
  )
  await compare.click()
  await page.getByText(/[1-9]\d* calls? stricter, 0 weaker/).waitFor()
  await page.getByText('my/no-ls').last().waitFor()
  await draft.fill(
    'rules:\n  - id: my/never\n    match: Bash\n    when: { shell: { command: zzz } }\n    deny: No.\n',
  )
  await compare.click()
  await page.getByText('Nothing would be decided differently').waitFor()
  expect(shown.problems()).toEqual([])
  await page.context().close()
})

it('the playground compares a rule with the policy, and offers the call as a test', async () => {
  const shown = await opened()
  const { page } = shown
  await goTo(page, 'Playground')
  await page.getByLabel('Command').fill('npm publish')
  await page.getByText('A rule to try').waitFor()
  await page
    .getByLabel(/Rules, packs or contracts/)
    .fill(
      'rules:\n  - id: my/no-publish\n    match: Bash\n    when: { shell: { command: npm, argument: publish } }\n    deny: A person publishes.\n',
    )
  await page.getByRole('heading', { name: 'With your rule' }).waitFor()
  await page.getByText('A person publishes.').first().waitFor()
  expect(await page.getByText('npm publish').count()).toBeGreaterThan(0)
  await page.getByRole('button', { name: 'Copy the test' }).waitFor()
  expect(shown.problems()).toEqual([])
  expect(existsSync(join(sandbox.project, '.holdpoint'))).toBe(false)
  await page.context().close()
})

describe('without a valid token', () => {
  it('a link works once, and a page without a link shows nothing', async () => {
    const link = await board.link()
    const [first, second] = [await browser.page(), await browser.page()]
    await first.page.goto(link)
    await first.page.getByText('Following').waitFor()
    for (const address of [link, board.origin, `${board.origin}/policy`]) {
      await second.page.goto(address)
      await second.page.getByRole('heading', { name: 'Not opened' }).waitFor()
      expect(await second.page.getByRole('link', { name: /claude-code/ }).count()).toBe(0)
    }
    await board.until(/That link was used twice/)
    await first.page.context().close()
    await second.page.context().close()
  })

  it('another name of this machine is refused', async () => {
    const { page } = await browser.page()
    const reply = await page.goto(board.origin.replace('127.0.0.1', 'localhost'))
    expect(reply?.status()).toBe(421)
    await page.context().close()
  })
})

it('a page says that the board was ended, and needs a new link after it was started again', async () => {
  const own = await startBoard(sandbox)
  const { page } = await browser.page()
  await page.goto(await own.link())
  await page.getByText('Following').waitFor()
  await own.close()
  await page.getByText('Not connected').waitFor()
  const again = await startBoard(sandbox, { args: ['--port', own.origin.split(':')[2] ?? ''] })
  await page.getByRole('heading', { name: 'Not opened' }).waitFor()
  await page.goto(await again.link())
  await page.getByText('Following').waitFor()
  await page.context().close()
  await again.close()
})
