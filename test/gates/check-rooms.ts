import { isBuiltin } from 'node:module'
import { posix } from 'node:path'
import { COMPOSERS, FAMILIES, ROOMS, type Room, type Touch } from './rooms.ts'
import { codeOnly, type Import, importsOf, lineAt } from './scan.ts'

/**
 * Checks files against the table of rooms: from the texts of files to complaints. The path of a file decides its room, so
 * a new file is checked from its first line. Tests, contract suites, their fixtures and `library/testing` are free.
 */
export function checkRooms(files: ReadonlyMap<string, string>): readonly string[] {
  const sources = [...files].filter(([path]) => isShipped(path)).map(([path, text]) => read(path, text))
  return sources
    .flatMap((source) => [...checkPlace(source), ...checkLinks(source), ...checkTouches(source)])
    .sort()
}

interface Source {
  readonly path: string
  readonly room: Room | undefined
  readonly code: string
  readonly links: readonly Link[]
}

interface Link extends Import {
  /** The path inside the repository, or undefined for a package or a computed name. */
  readonly target: string | undefined
}

function isShipped(path: string): boolean {
  return /^src\/.*\.tsx?$/.test(path) && !isTest(path)
}

function isTest(path: string): boolean {
  return /\.(?:test|contract|fixture)\.ts$/.test(path) || /^(?:test|src\/library\/testing)\//.test(path)
}

function read(path: string, text: string): Source {
  const links = importsOf(text).map((link) => ({ ...link, target: resolve(path, link.specifier) }))
  return { path, room: roomOf(path), code: codeOnly(text), links }
}

function resolve(from: string, specifier: string | undefined): string | undefined {
  return specifier?.startsWith('.') ? posix.join(posix.dirname(from), specifier) : undefined
}

/** The most specific room of the table. */
function roomOf(path: string): Room | undefined {
  return ROOMS.filter(
    ({ folder, files }) =>
      path.startsWith(`src/${folder}/`) && (files?.test(path.slice(`src/${folder}/`.length)) ?? true),
  ).sort((a, b) => b.folder.length - a.folder.length || (a.files === undefined ? 1 : -1))[0]
}

/** Only the entry file of the library is in the root; every folder has a row. */
function checkPlace({ path, room }: Source): readonly string[] {
  if (room !== undefined || path === 'src/index.ts') return []
  return [
    `${path}:1 [place] is in no room. Move it to a room, or give its folder a row in test/gates/rooms.ts.`,
  ]
}

function checkLinks(source: Source): readonly string[] {
  return source.links.flatMap((link) => {
    const wrong = wrongWith(source, link)
    if (wrong === undefined) return []
    const [rule, advice] = wrong
    return [`${source.path}:${link.line} [${rule}] imports ${link.specifier ?? 'a computed name'}. ${advice}`]
  })
}

function wrongWith({ path, room }: Source, link: Link): readonly [rule: string, advice: string] | undefined {
  const { target, typeOnly } = link
  if (room === undefined || target === undefined) return undefined
  if (isTest(target)) return ['tests', 'Shipped code may not need a test.']
  const other = roomOf(target)
  if (other === undefined) return ['place', 'The target is in no room.']
  if (ROOMS.indexOf(other) > ROOMS.indexOf(room)) {
    return [
      'order',
      `${other.folder} is above ${room.folder}: move the shared part down, or take it as an argument.`,
    ]
  }
  if (!typeOnly && other !== room && !isPure(other) && room.composes !== true) {
    return ['pure', `${other.folder} touches the machine and ${room.folder} must not, not even through it.`]
  }
  const table = tableOf(target)
  if (table !== undefined && memberOf(path) === undefined && room.folder !== table && !isComposer(room)) {
    return ['table', 'Only composing rooms read the table of a family: take the member as an argument.']
  }
  const member = memberOf(target)
  const isOwnTable = tableOf(path) !== undefined && member?.startsWith(`${tableOf(path)}/`) === true
  if (member !== undefined && member !== memberOf(path) && !isOwnTable) {
    return [
      'member',
      'A member is private to its folder: use its contract, or move the shared part next to it.',
    ]
  }
  return undefined
}

function isPure({ touches = {}, composes }: Room): boolean {
  return composes !== true && Object.keys(touches).every((touch) => touch === 'timers')
}

function isComposer({ folder }: Room): boolean {
  return COMPOSERS.some((each) => folder === each || folder.startsWith(`${each}/`))
}

/** The family whose table this file is. */
function tableOf(path: string): string | undefined {
  return FAMILIES.find((family) =>
    [`src/${family}/index.ts`, `src/${family}/installers.ts`, `src/${family}/transcripts.ts`].includes(path),
  )
}

/** `hosts/codex` for every file below that folder; undefined for contracts, tables and everything else. */
function memberOf(path: string): string | undefined {
  for (const family of FAMILIES) {
    const rest = path.startsWith(`src/${family}/`) ? path.slice(`src/${family}/`.length) : ''
    if (rest.includes('/')) return `${family}/${rest.slice(0, rest.indexOf('/'))}`
  }
  return undefined
}

/** Which part of the machine a builtin module touches. Builtins that are missing here only compute. */
const BUILTINS: Readonly<Record<string, Touch | 'computes'>> = {
  fs: 'files',
  'fs/promises': 'files',
  child_process: 'process',
  worker_threads: 'process',
  process: 'process',
  os: 'process',
  net: 'network',
  http: 'network',
  https: 'network',
  tls: 'network',
  dgram: 'network',
  dns: 'network',
  'timers/promises': 'timers',
  readline: 'files',
  'readline/promises': 'terminal',
}

const GLOBALS: readonly (readonly [pattern: RegExp, touch: Touch])[] = [
  [/(?<![.\w$])Date\.now\b|\bnew Date\b(?!\s*\([^)])|(?<![.\w$])performance\.now\b/g, 'clock'],
  [/(?<![.\w$])set(?:Timeout|Interval|Immediate)\s*\(/g, 'timers'],
  [/(?<![.\w$])Math\.random\b|\brandom(?:Bytes|UUID|Int)\b/g, 'chance'],
  [/(?<![.\w$])fetch\s*\(/g, 'network'],
  [/(?<![.\w$])process\s*\??\.\s*(?:argv|stdin|stdout|stderr|exit|exitCode)\b/g, 'terminal'],
  [/(?<![.\w$])process\s*\??\.\s*(?:env|platform|arch)\b/g, 'environment'],
  [
    /(?<![.\w$])process\s*\??\.\s*(?!argv|stdin|stdout|stderr|exit|exitCode|env|platform|arch)\w+/g,
    'process',
  ],
  [/=\s*process\b(?!\s*[.?(])|(?<![.\w$])process\s*\[|\bglobalThis\s*\??\.\s*process\b/g, 'process'],
]

function checkTouches({ path, room, code, links }: Source): readonly string[] {
  if (room === undefined) return []
  const builtins = links.flatMap(({ specifier = '', line }) => {
    if (!isBuiltin(specifier)) return []
    const name = specifier.replace(/^node:/, '')
    return [{ what: `imports ${specifier}`, touch: BUILTINS[name] ?? 'computes', line } as const]
  })
  const globals = GLOBALS.flatMap(([pattern, touch]) =>
    [...code.matchAll(pattern)].map((match) => ({
      what: `uses ${match[0].replaceAll(/\s+/g, '')}`,
      touch,
      line: lineAt(code, match.index),
    })),
  )
  const chdir = [...code.matchAll(/(?<![.\w$])process\s*\??\.\s*chdir\b/g)].map(
    (match) =>
      `${path}:${lineAt(code, match.index)} [chdir] changes the folder of the process: pass \`cwd\` along.`,
  )
  return [
    ...chdir,
    ...[...builtins, ...globals]
      .filter(({ touch }) => !mayTouch(room, path, touch))
      .map(
        ({ what, touch, line }) =>
          `${path}:${line} [${touch}] ${what}, and ${room.folder} may not: take it as an argument or from facts.`,
      ),
  ]
}

/** A room without touches may not even import a builtin that only computes, because it must run everywhere. */
function mayTouch(room: Room, path: string, touch: Touch | 'computes'): boolean {
  const { touches = {} } = room
  if (touch === 'computes') return Object.keys(touches).length > 0 || room.composes === true
  const allowed = touches[touch]
  return allowed === true || allowed?.includes(path.slice(`src/${room.folder}/`.length)) === true
}
