import type { JSX } from 'preact'
import { render } from 'preact'
import './app.css'
import { loadHello } from './hello.ts'
import { Layout } from './layout.tsx'
import { disconnected, startFollowing } from './live-state.ts'
import { Problem } from './load.tsx'
import { AgentsPage } from './pages/agents.tsx'
import { LivePage } from './pages/live.tsx'
import { PlaygroundPage } from './pages/playground.tsx'
import { PolicyPage } from './pages/policy.tsx'
import { ReportsPage } from './pages/reports.tsx'
import { SessionPage } from './pages/session.tsx'
import { SessionsPage } from './pages/sessions.tsx'
import { WhyPage } from './pages/why.tsx'
import { Page } from './parts.tsx'
import { Link, path } from './router.tsx'
import { openWithLink } from './server-calls.ts'
import { applyTheme } from './theme.tsx'

function App(): JSX.Element {
  const gone = disconnected.value
  return (
    <Layout>
      {gone?.status === 401 ? <NotOpened message={gone.message} /> : <Current at={path.value} />}
    </Layout>
  )
}

const PAGES: Readonly<Record<string, () => JSX.Element>> = {
  policy: () => <PolicyPage />,
  playground: () => <PlaygroundPage />,
  reports: () => <ReportsPage />,
  agents: () => <AgentsPage />,
}

function Current({ at }: { readonly at: string }): JSX.Element {
  const [, page = '', ...rest] = at.split('/')
  const id = decoded(rest.join('/'))
  if (page === '') return <LivePage />
  if (page === 'sessions') return id === '' ? <SessionsPage /> : <SessionPage id={id} />
  if (page === 'why' && id !== '') return <WhyPage id={id} />
  const found = rest.length === 0 ? PAGES[page] : undefined
  if (found !== undefined) return found()
  return (
    <Page title="Not found">
      <p>There is no such page.</p>
      <Link to="/">Go to the live page</Link>
    </Page>
  )
}

/** An address that nobody can decode is the name of nothing. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function NotOpened({ message }: { readonly message: string }): JSX.Element {
  return (
    <Page title="Not opened">
      <Problem message={message} />
      <p>
        Each link of <code>holdpoint ui</code> works once. Press Enter in its terminal for another link.
      </p>
    </Page>
  )
}

async function start(): Promise<void> {
  applyTheme()
  const refusal = await openWithLink()
  if (refusal !== undefined) disconnected.value = refusal
  const root = document.getElementById('board')
  if (root !== null) render(<App />, root)
  startFollowing()
  void loadHello()
}

void start()
