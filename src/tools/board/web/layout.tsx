import type { ComponentChildren, JSX } from 'preact'
import { ApprovalBar } from './approval-bar.tsx'
import { EFFECT_WORDS } from './effect.tsx'
import { hello } from './hello.ts'
import { Icon, type IconName, Mark } from './icons.tsx'
import { approvals, disconnected, lastStop } from './live-state.ts'
import { Link, path } from './router.tsx'
import { plainText } from './text.tsx'
import { ThemeButton } from './theme.tsx'

const PAGES: readonly (readonly [path: string, title: string, icon: IconName])[] = [
  ['/', 'Live', 'live'],
  ['/sessions', 'Sessions', 'sessions'],
  ['/policy', 'Policy', 'policy'],
  ['/playground', 'Playground', 'playground'],
  ['/reports', 'Reports', 'reports'],
  ['/agents', 'Agents', 'agents'],
]

/** What is around every page. */
export function Layout({ children }: { readonly children: ComponentChildren }): JSX.Element {
  return (
    <div class="layout">
      <a class="skip" href="#main">
        Skip to the page
      </a>
      <header class="side">
        <Link to="/" class="brand" aria-label="Holdpoint, the live page">
          <Mark />
          <span>Holdpoint</span>
        </Link>
        <nav aria-label="Pages">
          {PAGES.map(([to, title, icon]) => (
            <Link key={to} to={to} aria-current={isCurrent(to) ? 'page' : undefined}>
              <Icon name={icon} size={17} />
              {title}
            </Link>
          ))}
        </nav>
        <div class="side-foot">
          <Connection />
          <ThemeButton />
          <span class="quiet version">{hello.value.version}</span>
        </div>
        <Announcement />
      </header>
      <main id="main">
        <ApprovalBar />
        {children}
      </main>
    </div>
  )
}

function isCurrent(to: string): boolean {
  const at = path.value
  if (to === '/') return at === '/' || at.startsWith('/why/')
  return at === to || at.startsWith(`${to}/`)
}

function Connection(): JSX.Element {
  const gone = disconnected.value
  const [state, words] =
    gone === undefined
      ? approvals.value.board.kind === 'unconnected'
        ? ['half', 'Following']
        : ['on', 'Following']
      : gone === null
        ? ['half', 'Connecting…']
        : ['off', 'Not connected']
  return (
    <p class={`connection ${state}`} role="status">
      <span class="dot" aria-hidden="true" />
      {words}
    </p>
  )
}

/** Says to a screen reader that a call was stopped, without moving the focus. */
function Announcement(): JSX.Element {
  const stop = lastStop.value
  const text =
    stop === undefined
      ? ''
      : `${EFFECT_WORDS[stop.effect]}: ${plainText(`${stop.tool ?? stop.event} ${stop.input ?? ''}`.slice(0, 200))}`
  return (
    <p class="hidden" aria-live="polite">
      {text}
    </p>
  )
}
