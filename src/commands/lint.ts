import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import pc from 'picocolors'
import { compile } from '../compile.ts'
import type { Layer } from '../config.ts'
import { bad, ERRORS, good, type Problem, type Result } from '../errors.ts'
import { findImports, type Place } from '../imports.ts'
import type { Finding, Look } from '../lint/check.ts'
import { fromProblem, lintClaude } from '../lint/lint.ts'
import { parseConfig } from '../read-layer.ts'
import { SOURCES } from '../sources/index.ts'
import { printable } from '../sources/problems.ts'
import { type Home, homeLayout } from '../world/home.ts'
import { findProject } from '../world/project.ts'

interface LintOptions {
  readonly json?: boolean
  readonly home?: string
}

/** Reads hook configurations, ours and Claude Code's, and says what is wrong in them. Runs and changes nothing. */
export async function lint(files: readonly string[], options: LintOptions): Promise<void> {
  const home = homeLayout(options.home === undefined ? undefined : resolve(options.home), process.env)
  const project = findProject(process.cwd())
  const findings = files.length > 0 ? await lintNamed(files, home, project) : await lintInForce(home, project)
  const errors = findings.filter(({ severity }) => severity === 'error').length
  const counts = { errors, warnings: findings.length - errors }
  process.stdout.write(
    options.json === true
      ? `${JSON.stringify({ version: 1, ...counts, findings }, null, 2)}\n`
      : report(findings, counts),
  )
  if (errors > 0) process.exitCode = 1
}

/** Whatever holds in this folder, imported or not. */
async function lintInForce(home: Home, project: string): Promise<readonly Finding[]> {
  const { places } = await findImports([layerOfImports()], { home, project })
  const isClaude = ({ source }: Place) => source !== undefined && CLAUDE.has(source)
  const claude = await lintPlaces(places.filter(isClaude), home, project)
  const others = await lintPlaces(
    places.filter((place) => !isClaude(place)),
    home,
    project,
  )
  const compiled = await compile({ home, project, packs: [], lastGood: {} })
  const own = [...compiled.broken, ...compiled.plan.problems].map((problem) => told(problem))
  return withoutEchoes([...claude, ...others, ...own])
}

function lintNamed(files: readonly string[], home: Home, project: string): Promise<readonly Finding[]> {
  const places = files.map((file): Place => ({ path: resolve(file), rank: 'project', named: true }))
  return lintPlaces(places, home, project)
}

/** Formats the checks are about; of every other format, what its own reader has to say. */
const CLAUDE: ReadonlySet<string> = new Set(['claude-settings', 'claude-plugins'])

async function lintPlaces(
  places: readonly Place[],
  home: Home,
  project: string,
): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  const claude: { path: string; text: string }[] = []
  for (const place of places) {
    const text = readText(place)
    if (text === undefined) continue
    if (!text.ok) findings.push(told(text.problem))
    else if (place.source === undefined ? place.path.endsWith('.json') : CLAUDE.has(place.source)) {
      claude.push({ path: place.path, text: text.value })
    } else findings.push(...(await lintByReader(place, text.value, project)))
  }
  return [...lintClaude(claude, lookAt(project, home.user)), ...findings]
}

async function lintByReader(place: Place, text: string, project: string): Promise<readonly Finding[]> {
  const { path, rank, root = project } = place
  const layer = await parseConfig(text, { path, rank, trusted: false, root }, place.source)
  return (layer.ok ? layer.value.problems : [layer.problem]).map((problem) => told(problem))
}

function told(problem: Problem): Finding {
  return fromProblem(problem, problem.fix ?? ERRORS[problem.code].fix)
}

/** One entry for every format, so that its usual places are looked at. */
function layerOfImports(): Layer {
  const file = 'the command line'
  const imports = Object.keys(SOURCES)
    .filter((source) => source !== 'holdpoint-yaml' && source !== 'massgen-yaml')
    .map((source) => ({ source, origin: { file } }))
  return { rank: 'call', file, trusted: true, packs: [], hooks: [], imports, settings: {}, problems: [] }
}

/** What a check says about a place, an importing reader need not say again. */
function withoutEchoes(findings: readonly Finding[]): readonly Finding[] {
  const said = new Set<string>()
  return findings.filter(({ rule, file, line, column }) => {
    const place = `${file}:${line}:${column}`
    const isEcho = rule in ERRORS && said.has(place)
    said.add(place)
    return !isEcho
  })
}

const TEXT_MAX_BYTES = 8 * 1024 * 1024
const SCRIPT_MAX_BYTES = 256 * 1024

function readText({ path, named }: Place): Result<string> | undefined {
  try {
    const info = statSync(path, { throwIfNoEntry: false })
    if (info === undefined) {
      return named ? bad('CONFIG_UNREADABLE', 'There is no such file.', { file: path }) : undefined
    }
    if (!info.isFile()) return bad('CONFIG_UNREADABLE', 'This is not a regular file.', { file: path })
    if (info.size > TEXT_MAX_BYTES) {
      return bad('CONFIG_TOO_LARGE', `The file has ${info.size} bytes.`, { file: path })
    }
    return good(readFileSync(path, 'utf8'))
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return bad('CONFIG_UNREADABLE', `The file cannot be read: ${why}`, { file: path })
  }
}

function lookAt(project: string, home: string): Look {
  return {
    project,
    home,
    script(path) {
      try {
        const info = statSync(path, { throwIfNoEntry: false })
        if (info?.isFile() !== true) return undefined
        const text = info.size > SCRIPT_MAX_BYTES ? '' : readFileSync(path, 'utf8')
        return { text, isExecutable: (info.mode & 0o111) !== 0 }
      } catch {
        // Not ours to read: nothing can be said about it.
        return { text: '', isExecutable: true }
      }
    },
  }
}

/** Why and what to do instead stand once for each rule. */
function report(
  findings: readonly Finding[],
  { errors, warnings }: { readonly errors: number; readonly warnings: number },
): string {
  const told = new Set<string>()
  const blocks = findings.map(({ rule, severity, file, line, column, what, why, instead }) => {
    const colour = severity === 'error' ? pc.red : pc.yellow
    const head = `${printable(file)}:${line}:${column} ${colour(severity)} ${pc.bold(rule)} ${what}`
    const isNew = !told.has(`${rule} ${instead}`)
    told.add(`${rule} ${instead}`)
    const more = isNew ? [why, instead === '' ? '' : `Instead: ${instead}`] : []
    return [head, ...more.filter((text) => text !== '').map((text) => `  ${text}`)].join('\n')
  })
  const sum = findings.length === 0 ? 'Nothing is wrong.' : `${errors} errors, ${warnings} warnings.`
  return `${[...blocks, sum].join('\n')}\n`
}
