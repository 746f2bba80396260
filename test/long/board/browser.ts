import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import axe from 'axe-core'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

/** For tests beside which another version of it is installed. */
export type { Page }

/** Debian's Chromium, driven from the tests. */
export interface TestBrowser {
  /** A page of the board. Whatever it complains about, and every request to another place, fails the test. */
  page(options?: BrowserContextOptions): Promise<TestPage>
  close(): Promise<void>
}

export interface TestPage {
  readonly page: Page
  /** What went wrong in it so far, except what the test expects. */
  problems(): readonly string[]
  /** The test expects such problems. */
  expectProblems(expected: RegExp): void
  /** Accessibility problems that axe finds, as short texts. */
  axe(): Promise<readonly string[]>
  /** A picture of it, to be looked at. */
  picture(name: string): Promise<void>
}

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
const PICTURES = join(import.meta.dirname, '..', '..', '..', 'build', 'board-pictures')

/** Generous: two cores are shared with everything else. */
const WAIT_MAX_MS = 60_000

export async function openBrowser(): Promise<TestBrowser> {
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'
  const browser: Browser = await chromium.launch({ executablePath, args: FLAGS })
  mkdirSync(PICTURES, { recursive: true })
  return {
    close: () => browser.close(),
    async page(options = {}) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })
      const page = await context.newPage()
      page.setDefaultTimeout(WAIT_MAX_MS)
      const problems: string[] = []
      let expected: RegExp | undefined
      page.on('pageerror', (error) => problems.push(`error: ${error.message}`))
      page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning')
          problems.push(`console: ${message.text()}`)
      })
      page.on('dialog', (dialog) => {
        problems.push(`dialog: ${dialog.message()}`)
        void dialog.dismiss()
      })
      page.on('request', (request) => {
        if (!request.url().startsWith('http://127.0.0.1:')) problems.push(`request: ${request.url()}`)
      })
      return {
        page,
        problems: () => problems.filter((problem) => expected?.test(problem) !== true),
        expectProblems(problem) {
          expected = problem
        },
        axe: () => axeProblems(page),
        async picture(name) {
          await page.screenshot({ path: join(PICTURES, `${name}.png`) })
        },
      }
    },
  }
}

interface AxeResult {
  readonly violations: readonly {
    readonly id: string
    readonly help: string
    readonly nodes: readonly { readonly html: string }[]
  }[]
}

async function axeProblems(page: Page): Promise<readonly string[]> {
  // Not through a script element: the policy of the page forbids it.
  await page.evaluate(axe.source)
  const result = (await page.evaluate('axe.run()')) as AxeResult
  return result.violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes[0]?.html.slice(0, 200)}`)
}
