import { isSecretName } from '../../core/redact/named.ts'
import type { SimpleCommand } from '../vocabulary/command.ts'
import type { NetEffect } from '../vocabulary/effect.ts'
import { isLocalHost } from '../words/hosts.ts'

/** Environment variables that code sends to another machine: all of them, or a secret one as a part of the address. */
export function sentVariables(nets: readonly NetEffect[], { inline }: SimpleCommand): readonly NetEffect[] {
  const code = (inline?.code ?? []).map((form) => form.map((piece) => piece.text).join('')).join('\n')
  const foreign = nets.find(({ host }) => !isLocalHost(host))
  const named = [...code.matchAll(HOSTS)].map(([, host = '']) => host).find((host) => !isLocalHost(host))
  if (foreign === undefined && named === undefined) return []
  const host = foreign?.host ?? named
  const sends = nets.some(({ direction, host: to }) => direction === 'out' && !isLocalHost(to))
  if ((sends && ALL_VARIABLES.test(code)) || TURNED_TO_TEXT.test(code))
    return [{ kind: 'net', direction: 'out', host, carries: 'every environment variable' }]
  const name = variablesInAddress(code).find(isSecretName)
  return name === undefined
    ? []
    : [{ kind: 'net', direction: 'out', host, carries: `the environment variable ${name}` }]
}

const HOSTS = /\b(?:https?|ftp|wss?):\/\/([\w.-]+)|["']([\w-]+(?:\.[\w-]+)+):\d{1,5}["']/g

const ENVIRONMENT = String.raw`(?:os\.environ|process\.env|Deno\.env\.toObject\(\)|Bun\.env|\$_ENV|\$_SERVER|getenv\(\)|%ENV|ENV)`

/** All of them, not one by its name. */
const ALL_VARIABLES =
  /\bos\.environ\b(?!\s*[.[])|\b(?:process|Bun)\.env\b(?!\s*[.[])|\bDeno\.env\.toObject\(\)|\bENV\.(?:to_h|to_a|to_s|inspect|map)\b|%ENV\b|\$_(?:ENV|SERVER)\b(?!\s*\[)|\bgetenv\(\)/

/** Made one text, as is done to send or print them; a program that hands its variables on does not do that. */
const TURNED_TO_TEXT = new RegExp(
  String.raw`\b(?:str|repr|dumps|urlencode|quote|quote_plus|b64encode|stringify|http_build_query|json_encode|serialize|print_r|encodeURIComponent|btoa|join)\b\s*\(?\s*(?:["'][^"'\n]{0,3}["']\s*,\s*)?(?:dict\(\s*)?(?:\*\*)?\\?${ENVIRONMENT}(?!\s*[.[])`,
)

/** `'https://example.com/?' + os.environ['X']`, `https://example.com/${process.env.X}`, `"https://…$ENV{X}"`. */
const IN_ADDRESS =
  /https?:\/\/[^\s"'`]*(?:["'`]\s*(?:\+|\.)\s*|\$?#?\{\s*)?(?:os\.environ(?:\.get)?\s*[[(]\s*["']|os\.getenv\(\s*["']|process\.env\.|process\.env\[\s*["']|(?:Bun|Deno)\.env\.(?:get\(\s*["'])?|getenv\(\s*["']|\$_(?:ENV|SERVER)\[\s*["']|ENV\[\s*["']|ENV\.fetch\(\s*["']|\$ENV\{\s*["']?)(\w+)/g

function variablesInAddress(code: string): readonly string[] {
  return [...code.matchAll(IN_ADDRESS)].map(([, name = '']) => name)
}
