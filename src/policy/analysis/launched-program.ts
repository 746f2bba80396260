import { readOptions, valuesOf } from '../../shell/arguments/options.ts'
import type { SimpleCommand } from '../../shell/vocabulary/command.ts'
import { baseName } from '../../shell/words/paths.ts'
import { exactText, type Word } from '../../shell/words/words.ts'

/**
 * The program that a command starts, directly or through a launcher: `npx x`, `npm exec -- x`, `node …/x.cjs`, `x`.
 */
export interface Launched {
  /** The plain name of the program: `codex` for `@openai/codex@latest` and for `/opt/bin/codex.js`. */
  readonly name: string
  readonly args: readonly Word[]
}

/** Undefined if it is known only at run time. */
export function launchedProgram({
  name,
  word,
  args,
}: Pick<SimpleCommand, 'name' | 'args'> & Partial<Pick<SimpleCommand, 'word'>>): Launched | undefined {
  if (name === undefined) return undefined
  if (word !== undefined && CLAUDE_ITSELF.test(word.source)) return { name: 'claude', args }
  if (RUNNERS.has(name)) return afterPackage(args)
  if (MANAGERS.has(name)) {
    const [verb, ...rest] = readOptions(args, OPTIONS, { stopAtOperand: true }).operands
    return /^(?:exec|x|dlx|run)$/.test(exactText(verb) ?? '') ? afterPackage(rest) : { name, args }
  }
  if (name === 'uv' || name === 'pixi') {
    const words = args.map((word) => exactText(word) ?? '')
    const at = words.indexOf('run')
    if (at >= 0 && at <= 1) return afterPackage(args.slice(at + 1))
  }
  if (INTERPRETERS.test(name)) return afterScript(name, args)
  if (PYTHON.test(name)) return afterModule(name, args)
  const own = nameOf(name)
  return own === 'holdpoint' ? afterRun(own, args) : { name: own, args }
}

/** As its installer stores it, by version; or by its process, which is the agent that asks. */
const CLAUDE_ITSELF = /\/claude\/versions\/[\d.]+["']?$|^["']?\/proc\/[^/]+\/exe["']?$/

/** `holdpoint run claude …` starts what it names. */
function afterRun(own: string, args: readonly Word[]): Launched {
  const [verb, agent, ...rest] = readOptions(args, OWN_OPTIONS, { stopAtOperand: true }).operands
  const name = exactText(verb) === 'run' ? exactText(agent) : undefined
  return name === undefined ? { name: own, args } : { name: nameOf(name), args: rest }
}

const OWN_OPTIONS = 'home='

const RUNNERS = new Set(['npx', 'bunx', 'pnpx', 'uvx', 'pipx'])
const MANAGERS = new Set(['npm', 'pnpm', 'yarn', 'bun', 'corepack', 'volta', 'mise', 'asdf'])
const INTERPRETERS = /^(?:node|nodejs|tsx|ts-node|deno|bun)$/

const PYTHON = /^(?:python|pypy)[\d.]*$/

/** `python3 -m aider`. */
function afterModule(name: string, args: readonly Word[]): Launched {
  const at = args.findIndex((word) => exactText(word) === '-m')
  const module = at < 0 ? undefined : exactText(args[at + 1])
  if (module === undefined) return { name, args }
  return { name: nameOf(module.replace(/\..*$/, '').replaceAll('_', '-')), args: args.slice(at + 2) }
}

const OPTIONS = `
  p|package= c|call= w|workspace= prefix= registry= cache= node-options= C|dir= filter= y|yes no no-install
  q|quiet s|silent prefer-offline offline g|global
`

/** The first word is a package; with `--package` it is a program of that package. */
function afterPackage(args: readonly Word[]): Launched | undefined {
  const [first, ...rest] = readOptions(args, OPTIONS, { stopAtOperand: true }).operands
  const name = exactText(first)
  return name === undefined ? undefined : { name: nameOf(name), args: rest }
}

const SCRIPT_OPTIONS = `
  r|require= import= loader= experimental-loader= e|eval= p|print= C|conditions= env-file=
  max-old-space-size=? inspect=? no-warnings enable-source-maps A|allow-all
`

function afterScript(name: string, args: readonly Word[]): Launched | undefined {
  const read = readOptions(args, SCRIPT_OPTIONS, { stopAtOperand: true })
  if (valuesOf(read, 'eval', 'print').length > 0) return { name, args }
  const isRun = exactText(read.operands[0]) === 'run'
  const [script, ...rest] = isRun
    ? readOptions(read.operands.slice(1), SCRIPT_OPTIONS, { stopAtOperand: true }).operands
    : read.operands
  const path = exactText(script)
  return path === undefined ? undefined : { name: scriptName(path), args: rest }
}

/** The name of a script may be in its path: `…/node_modules/@openai/codex/bin/run.js`. */
function scriptName(path: string): string {
  if (path.startsWith('npm:')) return nameOf(path)
  const own = nameOf(baseName(path).replace(/\.[cm]?[jt]s$/, ''))
  if (PROGRAMS.has(own)) return own
  const inside = [...path.matchAll(/(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\//g)].at(-1)?.[1]
  const folder = /(?:^|\/)((?:@[^/]+\/)?[^/]+)\/(?:dist|bin|cli|bundle)\/[^/]+$/.exec(path)?.[1]
  const found = [inside, folder].map((each) => nameOf(each ?? '')).find((each) => PROGRAMS.has(each))
  return found ?? own
}

/** Packages whose program has a different name. */
const PACKAGES: Readonly<Record<string, string>> = {
  '@anthropic-ai/claude-code': 'claude',
  'claude-code': 'claude',
  '@openai/codex': 'codex',
  '@google/gemini-cli': 'gemini',
  'gemini-cli': 'gemini',
  '@qwen-code/qwen-code': 'qwen',
  'qwen-code': 'qwen',
  '@github/copilot': 'copilot',
  'opencode-ai': 'opencode',
  '@sourcegraph/amp': 'amp',
  '@augmentcode/auggie': 'auggie',
  '@charmland/crush': 'crush',
  '@continuedev/cli': 'cn',
  '@kilocode/cli': 'kilocode',
  '@factory/cli': 'droid',
  '@tencent-ai/codebuddy-code': 'codebuddy',
  cbc: 'codebuddy',
  'kimi-cli': 'kimi',
  '@xai-official/grok': 'grok',
  'aider-chat': 'aider',
  'open-interpreter': 'interpreter',
  'openhands-ai': 'openhands',
}
const PROGRAMS = new Set(['holdpoint', 'holdpoint-hook', ...Object.values(PACKAGES)])

function nameOf(spec: string): string {
  const bare = spec.replace(/^npm:/, '').replace(/(?<=.)@[^/]*$/, '')
  return Object.hasOwn(PACKAGES, bare)
    ? (PACKAGES[bare] ?? bare)
    : baseName(bare).replace(/\.(?:[cm]?js|exe|cmd)$/, '')
}
