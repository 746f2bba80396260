import { isBuiltin } from 'node:module'
import { posix } from 'node:path'
import { codeOnly, type Import, importsOf, lineAt } from './scan.ts'

/**
 * The dependency rule of the code, as a function from texts to complaints. Files are classified by their path
 * alone, so a new file is under the rule from its first line. Tests, contract suites and src/testing are free.
 */
export function checkLayers(files: ReadonlyMap<string, string>): string[] {
  const sources = [...files].filter(([path]) => isShipped(path)).map(([path, text]) => read(path, text))
  const byPath = new Map(sources.map((source) => [source.path, source]))
  const complaints = sources.flatMap((source) => [
    ...source.links.flatMap((link) => checkLink(source, link)),
    ...checkProcess(source),
  ])
  for (const [path, reachedFrom] of pureReach(byPath)) {
    const source = byPath.get(path)
    if (source !== undefined) complaints.push(...checkPure(source, reachedFrom))
  }
  return complaints.sort()
}

export const FAMILIES = ['hosts', 'packs', 'handlers', 'sources', 'stores'] as const

const VOCABULARY = named('json event actor decision hook facts errors')
const PURE = new Set([...VOCABULARY, ...named('config plan match combine pattern redact evaluate judge')])
const PURE_PLACES = /^src\/(?:shell|packs|sources)\/|^src\/hosts\/[^/]+\/(?:decode|encode)\.ts$/
const COMPOSERS =
  /^(?:src\/(?:responder|engine|compile|read-layer|imports|check-plan|journal)\.ts|src\/commands\/|bin\/)/
const COMMAND_LINE = /^(?:src\/commands\/|bin\/)/
const WORLD = /^(?:src\/(?:commands|world)\/|bin\/)/

function named(stems: string): ReadonlySet<string> {
  return new Set(stems.split(' ').map((stem) => `src/${stem}.ts`))
}

interface Source {
  readonly path: string
  readonly code: string
  readonly links: readonly Link[]
}

interface Link extends Import {
  /** The path inside the repository, or undefined for a package or a computed name. */
  readonly target: string | undefined
}

function isShipped(path: string): boolean {
  return /^(?:src|bin)\/.*\.[cm]?[jt]s$/.test(path) && !isTest(path) && !path.startsWith('src/testing/')
}

function isTest(path: string): boolean {
  return /\.(?:test|contract)\.ts$/.test(path) || path.startsWith('test/')
}

function read(path: string, text: string): Source {
  const links = importsOf(text).map((link) => ({ ...link, target: resolve(path, link.specifier) }))
  return { path, code: codeOnly(text), links }
}

function resolve(from: string, specifier: string | undefined): string | undefined {
  return specifier?.startsWith('.') ? posix.join(posix.dirname(from), specifier) : undefined
}

function checkLink(source: Source, link: Link): string[] {
  const rule = brokenBy(source.path, link)
  const name = link.specifier ?? 'a computed name'
  return rule === undefined ? [] : [`${source.path}:${link.line} [${rule}] imports ${name}. ${ADVICE[rule]}`]
}

const ADVICE = {
  vocabulary: 'The vocabulary imports only itself: move what you need there, or move the code out.',
  process: 'Use the global `process` where it is allowed, so that this gate can see what is read.',
  tests: 'Shipped code may not need a test: move what both use into a file of its own.',
  'hosts-packs': 'A host converts bytes and knows no policy: put the knowledge into a pack.',
  table:
    'Only responder.ts, compile.ts and their like, commands/ and bin/ read a table: take the member as an argument.',
  member: 'A member is private to its folder: use its contract, or move the shared part beside the contract.',
}

function brokenBy(path: string, { specifier, target }: Link): keyof typeof ADVICE | undefined {
  if (VOCABULARY.has(path) && (target === undefined || !VOCABULARY.has(target))) return 'vocabulary'
  if (specifier === 'node:process' && !COMMAND_LINE.test(path)) return 'process'
  if (target === undefined) return undefined
  if (isTest(target)) return 'tests'
  if (path.startsWith('src/hosts/') && target.startsWith('src/packs/')) return 'hosts-packs'
  if (tableOf(target) !== undefined && !COMPOSERS.test(path)) return 'table'
  const isOwnTable = tableOf(path) !== undefined && tableOf(path) === familyOf(target)
  const member = memberOf(target)
  return member !== undefined && member !== memberOf(path) && !isOwnTable ? 'member' : undefined
}

function familyOf(path: string): string | undefined {
  const family = /^src\/([^/]+)\//.exec(path)?.[1]
  return FAMILIES.find((known) => known === family)
}

/** The family whose table this file is. */
function tableOf(path: string): string | undefined {
  return /\/(?:index|installers)\.ts$/.test(path) && path.split('/').length === 3 ? familyOf(path) : undefined
}

/** `hosts/codex` for every file below that folder; undefined for contracts, tables and everything else. */
function memberOf(path: string): string | undefined {
  const parts = path.split('/')
  return parts.length > 3 && familyOf(path) !== undefined ? `${parts[1]}/${parts[2]}` : undefined
}

/** What the world gives a process is read in few places, under its plain name, and nobody moves it. */
function checkProcess(source: Source): string[] {
  const rules: [RegExp, boolean, string][] = [
    [
      /(?<![.\w$])process\s*\??\.\s*chdir\b/g,
      true,
      'Nobody changes the folder of the process: pass `cwd` along.',
    ],
    [
      /(?<![.\w$])process\s*\??\.\s*(?:argv|stdin|stdout|exit|exitCode)\b/g,
      !COMMAND_LINE.test(source.path),
      'Only bin/ and commands/ own the command line: return a value and let them write it.',
    ],
    [
      /(?<![.\w$])process\s*\??\.\s*(?:env|platform)\b/g,
      !WORLD.test(source.path),
      'Only src/world/, commands/ and bin/ read the environment: take it as an argument or from facts.',
    ],
    [
      /=\s*process\b(?!\s*[.?(])|(?<![.\w$])process\s*\[|\bglobalThis\s*\??\.\s*process\b/g,
      !COMMAND_LINE.test(source.path),
      'Write `process.name` in full, so that this gate can see what is read.',
    ],
  ]
  return rules.flatMap(([pattern, applies, advice]) =>
    applies ? mentions(source, pattern, 'process', advice) : [],
  )
}

/**
 * Every file that pure code loads, and the pure file that led there. Purity is judged over this whole reach: a
 * clock read behind a neighbour's function is still a clock.
 */
function pureReach(byPath: ReadonlyMap<string, Source>): ReadonlyMap<string, string> {
  const reached = new Map<string, string>()
  for (const path of byPath.keys()) {
    if (PURE.has(path) || PURE_PLACES.test(path)) reached.set(path, path)
  }
  // A Map visits what is added while it is walked.
  for (const [path, root] of reached) {
    for (const link of byPath.get(path)?.links ?? []) {
      if (link.target === undefined || link.typeOnly) continue
      if (!reached.has(link.target)) reached.set(link.target, root)
    }
  }
  return reached
}

function checkPure(source: Source, reachedFrom: string): string[] {
  const because = source.path === reachedFrom ? '' : ` The pure ${reachedFrom} reaches this file.`
  const fromNode = source.links
    .filter((link) => link.specifier !== undefined && isBuiltin(link.specifier))
    .map((link) => {
      const advice = `Pure code gets what it needs as an argument or from facts.${because}`
      return `${source.path}:${link.line} [pure] imports ${link.specifier}. ${advice}`
    })
  const computed = source.links
    .filter((link) => link.lazy && link.specifier === undefined)
    .map((link) => {
      return `${source.path}:${link.line} [pure] imports a computed name. Pure code loads nothing.${because}`
    })
  const advice = `Pure code has no process, clock, timer or chance: take it as an argument or from facts.${because}`
  const timers = source.path === 'src/judge.ts' ? [] : [/\bset(?:Timeout|Interval|Immediate)\s*\(/g]
  const worldly = [...IMPURE, ...timers].flatMap((pattern) => mentions(source, pattern, 'pure', advice))
  return [...fromNode, ...computed, ...worldly]
}

const IMPURE = [
  /(?<![.\w$])process\s*(?:\?\.|\.(?!\.)|\[)/g,
  /\bDate\s*\.\s*now\b/g,
  /(?<![.\w$])Date\s*\(\s*\)|\bnew\s+Date\b(?!\s*\()/g,
  /\bMath\s*\.\s*random\b/g,
  /\bperformance\s*\.\s*now\b/g,
  /\bcrypto\s*\.\s*(?:randomUUID|getRandomValues)\b/g,
]

function mentions(source: Source, pattern: RegExp, rule: string, advice: string): string[] {
  return [...source.code.matchAll(pattern)].map(
    (match) =>
      `${source.path}:${lineAt(source.code, match.index)} [${rule}] uses ${match[0].trim()}. ${advice}`,
  )
}
