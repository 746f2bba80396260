export interface PackedPluginFolder {
  readonly host: string
  readonly name: string
  readonly folder: string
}

export function packPlugins(folder: string): Promise<readonly PackedPluginFolder[]>
export function packTarballs(
  folder: string,
): Promise<readonly (PackedPluginFolder & { readonly tarball: string })[]>
export function writeAgentPlugin(folder: string): Promise<string>
