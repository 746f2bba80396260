import type { ActEffect } from '../vocabulary/effect.ts'
import { rowsOf } from './row.ts'

const FOREIGN: ActEffect = {
  kind: 'system-change',
  act: 'packages/foreign-code',
  what: 'runs code of a package from an address that no registry checks',
}

/** An address, or what package tools read as one. */
const URL = String.raw`(?:git\+|hg\+|svn\+)?(?:https?|ssh|git|ftp):\/\/\S+`
const SHORT = String.raw`(?:github|gitlab|bitbucket|gist):\S+`
const ADDRESS = new RegExp(String.raw`(?:^|[\s=@])(?:${URL}|${SHORT}|git@\S+)`, 'i')
const after = (words: string, more = ''): RegExp =>
  new RegExp(String.raw`\b(?:${words})\b${more}.*?[\s=@](?:${URL}|${SHORT}|git@\S+)`, 'i')

/** Modules of the Go project and a few that every project uses. */
const GO_KNOWN =
  /\b(?:run|install)\s+(?:-\S+\s+)*(?:golang\.org|google\.golang\.org|honnef\.co|go\.uber\.org|k8s\.io|sigs\.k8s\.io|gotest\.tools|mvdan\.cc|gopkg\.in)\//
const GO_HOSTED = /\binstall\s+(?:-\S+\s+)*(?:github\.com|gitlab\.com)\//

export const FOREIGN_PACKAGES = [
  ...rowsOf(
    FOREIGN,
    [
      'go',
      /^(?:run|install)\s+(?:-\S+\s+)*[\w-]+(?:\.[\w-]+)+\/\S+@\S+/,
      undefined,
      new RegExp(`${GO_KNOWN.source}|${GO_HOSTED.source}`),
    ],
    ['go', /^run\s+(?:-\S+\s+)*(?:github\.com|gitlab\.com|https?:\/)\/\S+/],
    [
      'cargo',
      /^(?:\+\S+\s+)?(?:install|binstall)\b.*(?:--git[ =]|--index[ =]|--registry-index|(?:^|\s)https?:)/,
    ],
    ['uvx', ADDRESS],
    ['uv', after('tool run|tool install|run|x')],
    [
      'uv',
      /^(?:tool\s+run|run|tool\s+install)\b.*(?:--index-url|--default-index|--index|--extra-index-url)[ =]https?:/,
    ],
    ['uvx', /(?:--index-url|--default-index|--index|--extra-index-url)[ =]https?:/],
    ['pipx', after('run|install|inject|runpip')],
    ['pipx', /(?:--index-url|--pip-args)[ =].*https?:/],
    [
      'gem',
      /\b(?:install|i|exec|update)\b.*(?:\s(?:-s|--source)[ =]\S|\shttps?:)/,
      undefined,
      /(?:-s|--source)[ =]https:\/\/rubygems\.org/,
    ],
    ['gem', /\bspecific_install\b|\bsources?\s+(?:-a|--add)\s/],
    ['npx bunx pnpx', ADDRESS],
    ['npm', after('exec|x')],
    ['pnpm yarn', after('dlx')],
    ['bun', after('x')],
    ['deno', /^(?:run|install|serve|compile)\b.*\shttps?:/],
    [
      'nix',
      after('run|shell|develop|profile install'),
      undefined,
      /\bgithub:(?:NixOS|nixos|numtide|nix-community)\//,
    ],
    ['brew', /^(?:install|reinstall|upgrade)\b.*\shttps?:|^tap\s+\S+\s+(?:https?:|git@)/],
    ['conda mamba micromamba', /\binstall\b.*\s(?:-c|--channel)[ =]https?:/],
    ['dnf yum zypper rpm', /(?:\binstall\b|-[a-zA-Z]*[iU]\b).*\s(?:https?|ftp):/],
    ['apk', /\badd\b.*--allow-untrusted|\badd\b.*(?:-X|--repository)[ =]http/],
    ['snap', /\binstall\b.*--dangerous/],
    ['cpanm cpan', ADDRESS],
    ['luarocks', /\binstall\b.*(?:--server|--from)[ =]|\binstall\b.*\shttps?:/],
    ['pear pecl', /\binstall\b.*\shttps?:/],
    ['dotnet', /\btool\s+(?:install|update|run)\b.*--add-source[ =]/],
    ['nuget', /\binstall\b.*-Source\s+https?:/i, undefined, /api\.nuget\.org/],
    ['composer', /\bglobal\s+require\b.*--repository|\bconfig\b.*\brepositor(?:y|ies)\b.*https?:/],
    ['asdf mise', /\bplugins?\s+(?:add|install)\s+\S+\s+(?:https?:|git@)/],
    ['install-module install-script install-package', /-(?:Repository|Source)\s+\S*https?:/i],
  ),
]
