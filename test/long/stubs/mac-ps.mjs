// `ps` as Apple's prints it, from the /proc that the simulation hides: mac-ps.mjs PROC [OPTION…]
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { join } from 'node:path'

const [proc = '', ...options] = process.argv.slice(2)
/** @type {string[]} */
const columns = []
/** @type {number[] | undefined} */
let pids
let environment = false
let threads = false
while (options.length > 0) {
  const option = options.shift() ?? ''
  if (option === '-o')
    columns.push(...(options.shift() ?? '').split(',').map((name) => name.replace(/=$/, '')))
  else if (option === '-p') pids = (options.shift() ?? '').split(',').map(Number)
  else if (option === '-E') environment = true
  else if (option === '-M') threads = true
  else if (!/^-[axw]+$/.test(option)) throw new Error(`ps: illegal option -- ${option}`)
}

const all = readdirSync(proc).map(Number).filter(Number.isInteger)
const lines = all
  .filter((pid) => pids === undefined || pids.includes(pid))
  .flatMap((pid) => {
    try {
      return threads ? threadLines(pid) : [lineOf(pid)]
    } catch {
      // It has ended meanwhile.
      return []
    }
  })
if (threads) lines.unshift('USER   PID   TT   %CPU STAT PRI     STIME     UTIME COMMAND')
process.stdout.write(lines.map((line) => `${line}\n`).join(''))
process.exitCode = lines.length === 0 ? 1 : 0

/** @param {number} pid */
function lineOf(pid) {
  const stat = readFileSync(join(proc, `${pid}`, 'stat'), 'latin1')
  const [state = '', parent = ''] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const words = textsIn(pid, 'cmdline')
  const isOver = state === 'Z' || words.length === 0
  const name = `(${/\((.*)\)/s.exec(stat)?.[1]})`
  const command = isOver ? name : words.join(' ')
  /** @type {Record<string, () => string>} */
  const values = {
    pid: () => String(pid).padStart(5),
    ppid: () => parent.padStart(5),
    uid: () => String(statSync(join(proc, `${pid}`)).uid).padStart(5),
    stat: () => (state === 'D' ? 'U' : state).padEnd(4),
    tty: () => terminalOf(pid).padEnd(8),
    comm: () => (isOver ? name : (words[0] ?? '')),
    command: () => (environment ? [command, ...textsIn(pid, 'environ')].join(' ') : command),
  }
  return columns.map((column) => visible(values[column]?.() ?? '')).join(' ')
}

/** @param {number} pid */
function threadLines(pid) {
  const each = readdirSync(join(proc, `${pid}`, 'task'))
  return each.map((_, index) =>
    index === 0 ? `dev  ${pid}   ??    0.0 S    31T` : `     ${pid}         0.0 S    31T`,
  )
}

/**
 * @param {number} pid
 * @param {string} what
 */
function textsIn(pid, what) {
  try {
    return readFileSync(join(proc, `${pid}`, what), 'latin1')
      .split('\0')
      .slice(0, -1)
  } catch {
    return []
  }
}

/** @param {number} pid */
function terminalOf(pid) {
  try {
    const [, number] = /^\/dev\/pts\/(\d+)$/.exec(readlinkSync(join(proc, `${pid}`, 'fd', '0'))) ?? []
    return number === undefined ? '??' : `ttys${number.padStart(3, '0')}`
  } catch {
    return '??'
  }
}

/** As `vis` does it: a line of a name does not become a line of the table. @param {string} text */
function visible(text) {
  return text.replaceAll('\n', '\\012').replaceAll('\t', '\\011')
}
