import type { Json, JsonObject } from '../core/json.ts'
import type { PluginPackage } from '../hosts/installer.ts'
import { INSTALLERS } from '../hosts/installers.ts'

/** A package of npm with our plugin for one agent: its name, and the text of each of its files. */
export interface PackedPlugin {
  readonly host: string
  readonly name: string
  readonly files: Readonly<Record<string, string>>
}

export interface PackedFrom {
  /** That of Holdpoint itself. */
  readonly manifest: { readonly version: string; readonly license: string; readonly repository?: Json }
  /** The text of `dist/plugins.mjs`. */
  readonly plugins: string
}

/** One for each agent whose users install plugins by name. `scripts/pack-plugins.mjs` writes them. */
export async function packedPlugins(from: PackedFrom): Promise<readonly PackedPlugin[]> {
  const members = await Promise.all(Object.values(INSTALLERS).map((load) => load()))
  return members.flatMap(({ installer }) =>
    installer.package === undefined ? [] : [packed(installer.host, installer.package, from)],
  )
}

function packed(host: string, plugin: PluginPackage, from: PackedFrom): PackedPlugin {
  const name = `@holdpoint/${host}`
  return {
    host,
    name,
    files: {
      'package.json': `${JSON.stringify(manifestOf(name, host, plugin, from), null, 2)}\n`,
      'README.md': readme(name, plugin),
      'index.js': `${settingsFor(host)}${plugin.body}`,
      'plugins.js': from.plugins,
      ...plugin.files,
    },
  }
}

function manifestOf(
  name: string,
  host: string,
  { manifest, files = {} }: PluginPackage,
  { manifest: { version, license, repository } }: PackedFrom,
): JsonObject {
  return {
    name,
    version,
    description: `Asks Holdpoint before ${host} acts. Needs \`npx holdpoint init\`.`,
    license,
    ...(repository === undefined ? {} : { repository }),
    type: 'module',
    main: './index.js',
    exports: { '.': './index.js', './package.json': './package.json' },
    files: ['index.js', 'plugins.js', ...Object.keys(files)],
    engines: { node: '>=20.19' },
    ...manifest,
  }
}

/** Where Holdpoint is for this user, by the same rules as `holdpoint` itself. */
function settingsFor(host: string): string {
  return `// Holdpoint's plugin. What it asks is installed by \`npx holdpoint init\`; until then, it stops every call.
import { homedir } from 'node:os'
const folder = (name) => (process.env[name]?.startsWith('/') ? process.env[name] : undefined)
const settings = {
  host: ${JSON.stringify(host)},
  home: folder('HOLDPOINT_HOME') ?? \`\${folder('XDG_CONFIG_HOME') ?? \`\${folder('HOME') ?? homedir()}/.config\`}/holdpoint\`,
  plugins: new URL('./plugins.js', import.meta.url).href,
}
`
}

function readme(name: string, { command }: PluginPackage): string {
  return `# ${name}

Asks [Holdpoint](https://www.npmjs.com/package/holdpoint) before the agent acts: your policies decide, and each decision is explained
to the agent and recorded for you.

\`\`\`bash
npx holdpoint init
${command(name)}
\`\`\`

The first command installs Holdpoint. It also writes this plugin into the agents that it finds, so you need the second command only
where it found none, for example in an image that is built before its agent. Until Holdpoint is installed, the plugin stops every call.
`
}
