import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

const PEERS = join(import.meta.dirname, '..', 'bench', 'peers')
const MODULE = join(PEERS, 'node_modules', 'cc-safety-net')
const { dependencies } = JSON.parse(readFileSync(join(PEERS, 'package.json'), 'utf8'))
export const SAFETY_NET = `cc-safety-net ${dependencies['cc-safety-net']}`

/**
 * Which rows the other guard flags with its default settings: its own library for commands, its own hook for
 * other tools. It needs existing folders, so a project and a home are created for it and replace the paths of
 * the rows; not below the temporary folder, where it allows more. Undefined if it cannot be installed.
 * @param {readonly import('./rows.mjs').Row[]} rows
 */
export function judgeWithSafetyNet(rows) {
  if (!existsSync(MODULE)) spawnSync('npm', ['ci', '--prefix', PEERS, '--silent'], { stdio: 'ignore' })
  if (!existsSync(MODULE)) return undefined
  const cache = join(homedir(), '.cache')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'holdpoint-compare-'))
  try {
    return judgeIn(folder, rows)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * @param {string} folder
 * @param {readonly import('./rows.mjs').Row[]} rows
 */
function judgeIn(folder, rows) {
  const [project, home] = [join(folder, 'project'), join(folder, 'home')]
  for (const path of [project, home]) mkdirSync(path)
  const moved = rows.map((row) => {
    const text = JSON.stringify(row).replaceAll('/srv/project', project).replaceAll('/home/dev', home)
    const { command, event, cwd } = JSON.parse(text)
    // A missing folder is refused whatever the command is.
    return { command, event, cwd: cwd !== undefined && existsSync(cwd) ? cwd : project }
  })
  const env = { PATH: process.env.PATH, HOME: home }
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, 'safety-net-worker.mjs'), MODULE],
    {
      input: moved.map((row) => `${JSON.stringify(row)}\n`).join(''),
      env,
      cwd: project,
      encoding: 'utf8',
      maxBuffer: 1 << 26,
    },
  )
  const flags = stdout.trim().split('\n')
  if (flags.length !== rows.length)
    throw new Error(`${flags.length} answers to ${rows.length} rows: ${stderr}`)
  return flags.map((flag) => flag === 'true')
}
