// Writes the npm packages with our plugins, one folder for each agent, and `agent-plugin`, the folder for agents that read
// the open standards; run `npm run build` first:
//   node scripts/pack-plugins.mjs <folder>             all of them
//   node scripts/pack-plugins.mjs <folder> --tarballs  packed by `npm pack` into <folder>; prints the tarballs
import { execFile } from 'node:child_process'
import { chmod, copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { parseArgs, promisify } from 'node:util'

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '..')

/**
 * The packages that were written: `{ host, name, folder }` each.
 *
 * @example await packPlugins('packages')
 */
export async function packPlugins(folder) {
  const { packedPlugins } = await import('../build/tools/plugin-packages.js')
  const manifest = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
  const plugins = await readFile(join(ROOT, 'dist', 'plugins.mjs'), 'utf8')
  return Promise.all(
    (await packedPlugins({ manifest, plugins })).map(async ({ host, name, files }) => {
      const target = join(folder, host)
      await mkdir(target, { recursive: true })
      await Promise.all([
        ...Object.entries(files).map(([file, text]) => writeFile(join(target, file), text)),
        copyFile(join(ROOT, 'LICENSE'), join(target, 'LICENSE')),
      ])
      return { host, name, folder: target }
    }),
  )
}

/**
 * Writes the folder that goes to `.agents/plugins/holdpoint`.
 *
 * @example await writeAgentPlugin('/home/dev/.agents/plugins/holdpoint')
 */
export async function writeAgentPlugin(folder) {
  const { agentPluginFiles, AGENT_PLUGIN_LAUNCHER } = await import('../build/tools/agent-plugin.js')
  const { version, license } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
  const launcher = await readFile(join(ROOT, 'plugin', 'bin', 'holdpoint-hook'), 'utf8')
  const names = await readdir(join(ROOT, 'skills'), { recursive: true, withFileTypes: true })
  const paths = names.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name))
  const texts = await Promise.all(
    paths.map(async (path) => [path.slice(join(ROOT, 'skills').length + 1), await readFile(path, 'utf8')]),
  )
  const files = await agentPluginFiles({
    version,
    license,
    launcher,
    skills: Object.fromEntries(texts.sort()),
  })
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(folder, dirname(path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  await copyFile(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'))
  await chmod(join(folder, AGENT_PLUGIN_LAUNCHER), 0o755)
  return folder
}

/** The same, packed as `npm publish` would upload them: `{ host, name, folder, tarball }` each. */
export async function packTarballs(folder) {
  return Promise.all(
    (await packPlugins(folder)).map(async (one) => {
      const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder]
      const { stdout } = await run('npm', args, { cwd: one.folder })
      return { ...one, tarball: join(folder, stdout.trim().split('\n').at(-1)) }
    }),
  )
}

if (process.argv[1] === import.meta.filename) {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { tarballs: { type: 'boolean' } },
  })
  if (positionals.length !== 1) throw new Error('usage: node scripts/pack-plugins.mjs <folder> [--tarballs]')
  const folder = resolve(positionals[0])
  const written = values.tarballs ? await packTarballs(folder) : await packPlugins(folder)
  for (const { folder: each, tarball } of written) process.stdout.write(`${tarball ?? each}\n`)
  process.stdout.write(`${await writeAgentPlugin(join(folder, 'agent-plugin'))}\n`)
}
