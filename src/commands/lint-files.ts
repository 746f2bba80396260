import { join, resolve } from 'node:path'
import { compile } from '../config/compile.ts'
import { type ConfigFile, findImports, formatOf } from '../config/imports.ts'
import { configPlaces, rootOf } from '../config/places.ts'
import { parseConfig } from '../config/read-layer.ts'
import { SOURCES } from '../config/sources/index.ts'
import { withoutValues } from '../config/sources/without-values.ts'
import { bad, ERRORS, good, type Problem, type Result } from '../core/errors.ts'
import type { Hook } from '../core/hook.ts'
import type { Layer } from '../core/layer.ts'
import { unenforceable } from '../core/plan/unenforceable.ts'
import { findHost } from '../hosts/find-host.ts'
import type { Home } from '../system/home.ts'
import { readInstalls } from '../system/installs.ts'
import { isBelow, isPlainFile, readRegularFile, staysInside } from '../system/regular-file.ts'
import type { LintFinding } from '../tools/lint/check.ts'
import { ENTRY_CHECKS, lintEntries } from '../tools/lint/entry-checks.ts'
import { lintFrontMatter } from '../tools/lint/front-matter.ts'
import { fromProblem, lintClaude } from '../tools/lint/lint.ts'
import type { Caller } from './caller.ts'
import { diskFacts } from './lint-disk.ts'

interface Linted {
  readonly findings: readonly LintFinding[]
  /** Every file that was looked at. */
  readonly files: readonly string[]
}

/** Every configuration that is used in this folder, imported or not. */
export async function lintInForce(home: Home, project: string): Promise<Linted> {
  const { places } = await findImports([layerOfImports()], { home, project })
  const isClaude = ({ source }: ConfigFile) => source !== undefined && CLAUDE.has(source)
  const claude = await lintPlaces(places.filter(isClaude), home, project)
  const others = await lintPlaces(
    places.filter((place) => !isClaude(place)),
    home,
    project,
  )
  const ownPlaces = configPlaces({ home, project })
  const entries = await lintPlaces(ownPlaces, home, project)
  const compiled = await compile({ home, project, packs: [], lastGood: {}, quotes: true })
  const own = [...compiled.broken, ...compiled.plan.problems].map((problem) => findingOf(problem))
  const limits = await lintHosts(compiled.plan.hooks, home)
  return {
    findings: withoutEchoes([...claude, ...others, ...entries, ...own, ...limits]),
    files: [...places, ...ownPlaces].map(({ path }) => path),
  }
}

/** Rules that do not hold on an agent that Holdpoint is installed for. */
async function lintHosts(hooks: readonly Hook[], home: Home): Promise<readonly LintFinding[]> {
  const findings: LintFinding[] = []
  for (const { host: id, file } of readInstalls(home.installs)) {
    const host = await findHost(id)
    if (!host.ok) continue
    for (const { says, instead = '' } of unenforceable(hooks, host.value)) {
      const place = { file, line: 1, column: 1 }
      findings.push({ rule: 'host-limit', severity: 'warning', ...place, what: says, why: '', instead })
    }
  }
  return findings
}

export async function lintNamed(
  caller: Caller,
  files: readonly string[],
  home: Home,
  project: string,
): Promise<Linted> {
  const places = files.map(
    (file): ConfigFile => ({ path: resolve(caller.cwd, file), rank: 'project', named: true }),
  )
  return { findings: await lintPlaces(places, home, project), files: places.map(({ path }) => path) }
}

/** The formats that have checks. For other formats, only the problems of their reader are shown. */
const CLAUDE: ReadonlySet<string> = new Set(['claude-settings', 'claude-plugins'])

async function lintPlaces(
  places: readonly ConfigFile[],
  home: Home,
  project: string,
): Promise<readonly LintFinding[]> {
  const findings: LintFinding[] = []
  const claude: { path: string; text: string }[] = []
  for (const place of places) {
    const text = readText(place, project)
    if (text === undefined) continue
    if (!text.ok) findings.push(findingOf(text.problem))
    else if (place.source === undefined ? place.path.endsWith('.json') : CLAUDE.has(place.source)) {
      claude.push({ path: place.path, text: text.value })
    } else findings.push(...(await lintByReader(place, text.value, project, home)))
  }
  return [...lintClaude(claude, diskFacts(project, home.user)), ...findings]
}

async function lintByReader(
  place: ConfigFile,
  text: string,
  project: string,
  home: Home,
): Promise<readonly LintFinding[]> {
  const { path, rank, root = rootOf(place, project) } = place
  const format = place.source ?? formatOf(path, text)
  const layer = await parseConfig(text, { path, rank, trusted: false, root }, format)
  // Any other file may be a secret, and an agent may be who asks.
  const isConfig = [project, home.folder, join(home.user, '.claude')].some((each) => isBelow(path, each))
  const isShown = isConfig && isPlainFile(path)
  const shown = isShown ? findingOf : (problem: Problem) => findingOf(withoutValues(problem))
  if (!layer.ok) return [shown(layer.problem)]
  const look = diskFacts(project, home.user)
  const checked =
    format === 'frontmatter'
      ? lintFrontMatter(path, text, look)
      : format === 'holdpoint-yaml'
        ? lintEntries(layer.value.hooks, look)
        : []
  return withoutEchoes([...checked, ...layer.value.problems.map((problem) => shown(problem))])
}

function findingOf(problem: Problem): LintFinding {
  return fromProblem(problem, problem.fix ?? ERRORS[problem.code].fix)
}

/** One import for each format, so that its usual locations are read. */
function layerOfImports(): Layer {
  const file = 'the command line'
  const imports = Object.keys(SOURCES)
    .filter((source) => source !== 'holdpoint-yaml' && source !== 'massgen-yaml')
    .map((source) => ({ source, origin: { file } }))
  return { rank: 'call', file, trusted: true, packs: [], hooks: [], imports, settings: {}, problems: [] }
}

/**
 * If a check of Claude's files already reports a location, the problem of the importing reader is not repeated.
 * Nothing is said twice in the same words.
 */
function withoutEchoes(findings: readonly LintFinding[]): readonly LintFinding[] {
  const said = new Set<string>()
  return findings.filter(({ rule, file, line, column, what }) => {
    const place = `${file}:${line}:${column}`
    const isEcho = (rule in ERRORS && said.has(place)) || said.has(`${place} ${rule} ${what}`)
    if (!OWN_RULES.has(rule)) said.add(place)
    said.add(`${place} ${rule} ${what}`)
    return !isEcho
  })
}

/** These say something else than the reader of the same file. */
const OWN_RULES: ReadonlySet<string> = new Set([...ENTRY_CHECKS.map(({ id }) => id), ...Object.keys(ERRORS)])

const TEXT_MAX_BYTES = 8 * 1024 * 1024

/** Undefined: a file that nobody named does not exist. */
export function readText({ path, named }: ConfigFile, project: string): Result<string> | undefined {
  if (isBelow(path, project) && !staysInside(path, project))
    return bad('CONFIG_UNREADABLE', 'This is a link out of the project, so it was not read.', { file: path })
  const read = readRegularFile(path, TEXT_MAX_BYTES)
  if (read.kind === 'missing')
    return named ? bad('CONFIG_UNREADABLE', 'This file does not exist.', { file: path }) : undefined
  if (read.kind === 'special') return bad('CONFIG_UNREADABLE', 'This is not a regular file.', { file: path })
  if (read.kind === 'too-large')
    return bad('CONFIG_TOO_LARGE', `The file has ${read.sizeBytes} bytes.`, { file: path })
  if (read.kind === 'closed')
    return bad('CONFIG_UNREADABLE', `The file cannot be read (${read.code}).`, { file: path })
  return good(read.content.toString('utf8'))
}
