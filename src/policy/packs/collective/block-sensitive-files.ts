import type { Guard, GuardInput, GuardMatch } from '../../../core/guard.ts'
import { exactForm } from '../../../shell/words/words.ts'
import {
  isCredentialFile,
  isEnvFile,
  isPrivateKey,
  isSettingsFile,
  nameMayBe,
} from '../../analysis/secret-path.ts'
import { type Touch, touchedPaths } from '../../analysis/touched-paths.ts'
import { strongest } from '../strongest.ts'
import { logNote } from './log.ts'
import { readCollectiveOptions } from './options.ts'
import { LIST_FILE, readSensitiveList, type SensitiveList } from './sensitive-list.ts'

/** Reading and searching files that contain secrets. Other kinds of access are handled by the pack `secrets`. */
export const blockSensitiveFiles: Guard = {
  id: 'collective/block-sensitive-files',
  title: 'Reading a sensitive file',
  why: 'Everything that an agent reads is sent to its model and stored in transcripts, and these files often contain passwords and tokens that are in use.',
  instead:
    'read the example file next to it (.env.example, default.settings.php), or ask for the value you need.',
  on: ['PreToolUse'],
  match: 'Read|Grep',
  modes: { standard: 'deny', strict: 'deny', paranoid: 'deny' },
  onFailure: 'collective',
  timeoutMs: 10_000,
  examples: {
    stops: [
      read('.env'),
      read('/srv/project/.env.production'),
      read('.env.production2'),
      read('apps/web/.env.local.bak'),
      read('/srv/project/src/../.ENV'),
      read('web/sites/default/settings.php'),
      read('settings.local.php'),
      read('certs/server.key'),
      read('private.pem'),
      read('certs/fullchain.pem'),
      read('public.key'),
      read('config/credentials.json'),
      read('Credentials'),
      read('/home/dev/.ssh/id_rsa'),
      read('id_ecdsa'),
      read('~/.ssh/deploy'),
      read('/home/dev/.aws/credentials'),
      { tool: 'Grep', input: { pattern: 'KEY', path: '.env' } },
      { tool: 'Grep', input: { pattern: 'KEY', glob: '**/.env*' } },
      { tool: 'Grep', input: { pattern: 'KEY', glob: '*.pem' } },
      { tool: 'Grep', input: { pattern: 'pass', glob: 'settings.php' } },
      { tool: 'Grep', input: { pattern: 'pass', glob: '**/settings.php' } },
      { tool: 'Grep', input: { pattern: 'KEY', path: '/home/dev/.ssh' } },
      event('Read', 'secret/plan.txt', { custom_patterns: ['^secret/'] }),
      event('Read', '.env', { allowlist: ['\\.env'] }),
    ],
    passes: [
      read('.env.example'),
      read('.env.sample'),
      read('apps/.env.template'),
      read('.env.dist'),
      read('default.settings.php'),
      read('/home/dev/.ssh/id_rsa.pub'),
      read('/home/dev/.ssh/known_hosts'),
      read('src/env.ts'),
      read('docs/settings.md'),
      read('keys.md'),
      read('src/credentials.ts'),
      read('docs/credentials.md'),
      { tool: 'Grep', input: { pattern: '\\.env', path: 'src' } },
      { tool: 'Grep', input: { pattern: 'KEY', glob: '*.ts' } },
      { tool: 'Grep', input: { pattern: 'KEY', glob: '!.env' } },
      { tool: 'Grep', input: { pattern: 'KEY', glob: '*.php' } },
      { tool: 'Grep', input: { pattern: 'KEY', glob: '**/*' } },
      event('Read', 'secret/open.txt', { custom_patterns: ['^secret/'], allowlist: ['open\\.txt$'] }),
      event('Read', 'dump.sql', { warnings_only: ['\\.sql$'] }),
      event('Read', 'src/a.ts', { custom_patterns: ['# ^src/'] }),
    ],
  },
  async check(input) {
    const { event: at, facts } = input
    const touches = touchedPaths(at, facts).filter(({ access }) => access === 'read')
    const list = await readSensitiveList(facts)
    const matches = await matcherOf(list, facts.project)
    const caught = strongest(touches, (touch) => judged(touch, input, list, matches))
    if (caught !== null) return { ...caught, notes: [note(caught.caught, input)] }
    const warned = touches.find((touch) => matches(list.warnings, touch) && !matches(list.allowed, touch))
    const notices = [
      ...list.problems,
      ...(warned === undefined ? [] : [`${warned.source} may contain sensitive data (${LIST_FILE}).`]),
    ]
    if (notices.length === 0) return null
    return { effect: 'pass', notices, notes: notices.map((line) => note(line, input)) }
  },
}

type Matches = (patterns: readonly string[], touch: Touch) => boolean

function judged(
  touch: Touch,
  { facts }: GuardInput,
  { patterns, allowed }: SensitiveList,
  matches: Matches,
): GuardMatch | null {
  const about = { caught: `reads ${touch.source}`, fragment: touch.fragment }
  const isAllowed = matches(allowed, touch)
  const builtIn = isSensitive(touch, facts.home)
  // A list that is part of the project must not give access to credentials without a decision of the user.
  if (builtIn && isAllowed)
    return { ...about, unsure: `${LIST_FILE} allows it, but that file is part of the project` }
  if (builtIn) return about
  return !isAllowed && matches(patterns, touch) ? about : null
}

function isSensitive({ path, pattern }: Touch, home: string): boolean {
  if (pattern !== undefined && (nameMayBe(pattern, 'env') || nameMayBe(pattern, 'key'))) return true
  // A pattern that ends with a plain name means files with that name. A wider pattern says nothing.
  if (pattern !== undefined && exactForm(pattern) === undefined) return false
  const name = exactForm(path.parts.at(-1) ?? [])
  if (name !== undefined && AS_WRITTEN.test(name)) return true
  const judges = [
    isEnvFile(path),
    isPrivateKey(path, home),
    isSettingsFile(path, home),
    isCredentialFile(path, home),
  ]
  return judges.some((match) => match !== 'no')
}

/** The collective protects these files by name alone, even if a key is a public one. */
const AS_WRITTEN = /\.(?:key|pem)$|^credentials?(?:\.(?:json|ya?ml|toml|ini|xml|csv|txt|conf|cfg))?$/i

/** Regular expressions from configuration run only on the linear engine. It is loaded when there is one to run. */
async function matcherOf(list: SensitiveList, project: string): Promise<Matches> {
  const { patterns, warnings, allowed } = list
  const sources = [...new Set([...patterns, ...warnings, ...allowed])]
  if (sources.length === 0) return () => false
  const { isLinear, linearEngine } = await import('../../../core/match/regex.ts')
  const compiled = new Map(
    sources.filter(isLinear).map((source) => [source, linearEngine.compile(source)] as const),
  )
  return (some, touch) => {
    const names = namesOf(touch, project)
    return some.some((source) => names.some((name) => compiled.get(source)?.(name) === true))
  }
}

/** The path as written, as an absolute path, and relative to the root of the project. */
function namesOf({ path, source }: Touch, project: string): readonly string[] {
  const parts = path.parts.map((part) => exactForm(part) ?? part.map(({ text }) => text).join(''))
  const whole = `${path.anchored ? '/' : ''}${parts.join('/')}`
  const inside = whole.startsWith(`${project}/`) ? [whole.slice(project.length + 1)] : []
  return [source, whole, ...inside].map((name) => name.slice(0, NAME_CHARACTERS_MAX))
}

const NAME_CHARACTERS_MAX = 1_000

function note(line: string, { facts, options }: GuardInput) {
  return logNote('block-sensitive-files', line, facts, readCollectiveOptions(options))
}

function read(path: string) {
  return { tool: 'Read', input: { file_path: path } }
}

function event(tool: string, path: string, list: Readonly<Record<string, readonly string[]>>) {
  return {
    kind: 'PreToolUse' as const,
    fields: { tool: { name: tool, input: { file_path: path }, useId: 'call-1' } },
    files: { [`/srv/project/${LIST_FILE}`]: JSON.stringify(list) },
  }
}
