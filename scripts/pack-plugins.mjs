// Writes the npm packages with our plugins, one folder for each agent, and `agent-plugin`, the folder for agents that read
// the open standards; run `npm run build` first:
//   node scripts/pack-plugins.mjs <folder>             all of them
//   node scripts/pack-plugins.mjs <folder> --tarballs  packed by `npm pack` into <folder>; prints the tarballs
import { execFile } from 'node:child_process'
import { chmod, copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { builtModule } from './built-module.mjs'

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '..')

/**
 * The packages that were written.
 *
 * @example await packPlugins('packages')
 * @param {string} folder
 */
export async function packPlugins(folder) {
  const { packedPlugins } = await builtModule('src/tools/plugin-packages.ts')
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
 * @param {string} folder
 */
export async function writeAgentPlugin(folder) {
  const { agentPluginFiles, AGENT_PLUGIN_LAUNCHER } = await builtModule('src/tools/agent-plugin.ts')
  const { version, license } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
  const launcher = await readFile(join(ROOT, 'plugin', 'bin', 'holdpoint-hook'), 'utf8')
  const names = await readdir(join(ROOT, 'skills'), { recursive: true, withFileTypes: true })
  const paths = names.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name))
  const texts = await Promise.all(
    paths.map(
      async (path) =>
        /** @type {const} */ ([relative(join(ROOT, 'skills'), path), await readFile(path, 'utf8')]),
    ),
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

/**
 * The same, packed as `npm publish` would upload them.
 * @param {string} folder
 */
export async function packTarballs(folder) {
  return Promise.all(
    (await packPlugins(folder)).map(async (one) => {
      const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder]
      const { stdout } = await run('npm', args, { cwd: one.folder })
      return { ...one, tarball: join(folder, stdout.trim().split('\n').at(-1) ?? '') }
    }),
  )
}

if (process.argv[1] === import.meta.filename) {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { tarballs: { type: 'boolean' } },
  })
  const [given, ...others] = positionals
  if (given === undefined || others.length > 0)
    throw new Error('usage: node scripts/pack-plugins.mjs <folder> [--tarballs]')
  const folder = resolve(given)
  const written = values.tarballs
    ? (await packTarballs(folder)).map(({ tarball }) => tarball)
    : (await packPlugins(folder)).map((one) => one.folder)
  for (const path of written) process.stdout.write(`${path}\n`)
  process.stdout.write(`${await writeAgentPlugin(join(folder, 'agent-plugin'))}\n`)
}
