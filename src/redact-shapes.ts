import { isLiteral } from './redact-mask.ts'

export interface Shape {
  readonly kind: string
  /** Named groups `before`, `secret` and `after` keep what is around the secret. */
  readonly pattern: RegExp
  /** A last look at the secret; false leaves it. */
  only?(secret: string): boolean
}

/** Secrets known by their own shape. No word boundaries: a token glued to other text is still a token. */
export const SHAPES: readonly Shape[] = [
  {
    kind: 'private-key',
    pattern:
      /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY[A-Z ]{0,10}-----(?:[^-]|-(?!----)){0,20000}(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY[A-Z ]{0,10}-----)?/g,
  },
  { kind: 'private-key', pattern: /AGE-SECRET-KEY-1[A-Z0-9]{50,60}/g },
  {
    kind: 'aws-secret-key',
    pattern: /(?<before>(?:AKIA|ASIA)[A-Z0-9]{16}[\s"',:;]{1,5})(?<secret>[A-Za-z0-9/+]{40})/g,
  },
  { kind: 'aws-access-key', pattern: /(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}/g },
  { kind: 'github-token', pattern: /gh[opusr]_[A-Za-z0-9]{20,255}|github_pat_[A-Za-z0-9_]{20,255}/g },
  { kind: 'gitlab-token', pattern: /gl(?:pat|dt|rt|ptt|cbt|oas|soat|agent)-[A-Za-z0-9_.-]{16,255}/g },
  { kind: 'slack-token', pattern: /xox[a-z](?:\.xox[a-z])?-[A-Za-z0-9-]{8,255}|xapp-[A-Za-z0-9-]{16,255}/g },
  {
    kind: 'slack-webhook',
    pattern: /(?<before>hooks\.slack\.com\/(?:services|workflows)\/)(?<secret>[A-Za-z0-9/_-]{16,255})/g,
  },
  { kind: 'stripe-key', pattern: /(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{8,255}|whsec_[A-Za-z0-9+/=]{16,255}/g },
  { kind: 'api-key', pattern: /sk-(?:ant|proj|svcacct|admin|or)-[A-Za-z0-9_-]{16,255}/g },
  {
    kind: 'api-key',
    pattern: /(?<![A-Za-z0-9])sk-[A-Za-z0-9_-]{16,255}/g,
    only: (found) => /\d/.test(found),
  },
  // Glued to a word it may be the end of `task-...`: then only what no word looks like.
  { kind: 'api-key', pattern: /sk-[A-Za-z0-9]{20,255}/g, only: isMixed },
  {
    kind: 'google-key',
    pattern: /AIza[A-Za-z0-9_-]{30,60}|ya29\.[A-Za-z0-9_-]{16,2048}|GOCSPX-[A-Za-z0-9_-]{20,60}/g,
  },
  { kind: 'npm-token', pattern: /npm_[A-Za-z0-9]{30,255}/g },
  {
    kind: 'token',
    pattern: /(?:hf_|dapi|dop_v1_|shpat_|lin_api_|hvs\.)[A-Za-z0-9]{30,255}|pypi-[A-Za-z0-9_-]{50,512}/g,
  },
  { kind: 'sendgrid-key', pattern: /SG\.[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16,128}/g },
  {
    // From the start of the run of letters, so that a long run without a dot is scanned once.
    kind: 'jwt',
    pattern:
      /(?<![A-Za-z0-9_-])[A-Za-z0-9_-]{10,8192}\.eyJ[A-Za-z0-9_-]{5,16384}(?:\.[A-Za-z0-9_-]{0,2048})?/g,
    only: (found) => found.slice(0, found.indexOf('.')).includes('eyJ'),
  },
  {
    kind: 'authorization',
    pattern:
      /(?<before>authorization[\\"']{0,6}\s{0,4}[:=]\s{0,4}[\\"']{0,6}(?:bearer|basic|token|apikey|api-key|negotiate|ntlm)\s{1,4})(?<secret>[^\s"'\\`]{1,8192})/gi,
    only: isLiteral,
  },
  {
    kind: 'authorization',
    pattern:
      /(?<before>authorization[\\"']{0,6}\s{0,4}[:=]\s{0,4}[\\"']{0,6}(?:digest|hawk|aws4-hmac-sha256)\s{1,4})(?<secret>[^\r\n]{1,4096})/gi,
  },
  {
    kind: 'authorization',
    pattern:
      /(?<before>authorization[\\"']{0,6}\s{0,4}[:=]\s{0,4}[\\"']{0,6})(?<secret>[^\s"'\\`]{8,8192})/gi,
    only: (found) => /\d/.test(found) && isLiteral(found),
  },
  {
    kind: 'authorization',
    pattern: /(?<before>bearer\s{1,4})(?<secret>[A-Za-z0-9._~+/=-]{16,8192})/gi,
    only: (found) => /\d/.test(found),
  },
  {
    kind: 'cookie',
    pattern:
      /(?<before>cookie[\\"']{0,6}\s{0,4}:\s{0,4}[\\"']{0,6})(?<secret>[A-Za-z0-9_.-]{1,128}=[^\r\n"'\\]{1,4096})/gi,
  },
  // A raw `@` may stand in a password; a raw `/` too, unless what is before it is a port.
  {
    kind: 'url-password',
    pattern: /(?<before>:\/\/[^\s:@/"'`]{0,256}:)(?<secret>[^\s/"'`]{1,512})(?<after>@)/g,
    only: isLiteral,
  },
  {
    kind: 'url-password',
    pattern: /(?<before>:\/\/[^\s:@/"'`]{0,256}:)(?<secret>[^\s@"'`]{1,512})(?<after>@)/g,
    only: (found) => !/^\d{1,5}(?:\/|$)/.test(found) && isLiteral(found),
  },
  {
    kind: 'url-password',
    pattern: /(?<before>:\/\/)(?<secret>[A-Za-z0-9_-]{20,255})(?<after>@)/g,
  },
  {
    kind: 'password',
    pattern:
      /(?<before>curl\s[^\r\n|;&]{0,300}?(?:-u|--user)[ =]{0,4}["']?[^\s:"']{1,128}:)(?<secret>[^\s"']{3,512})/g,
    only: (found) => !/^\d+$/.test(found) && isLiteral(found),
  },
  {
    kind: 'password',
    pattern: /(?<before>sshpass\s{1,4}-p\s{0,4})(?<secret>"[^"]{1,512}"|'[^']{1,512}'|[^\s"']{1,512})/g,
  },
  {
    kind: 'password',
    pattern: /(?<before>login\s{1,4}\S{1,128}\s{1,4}password\s{1,4})(?<secret>\S{1,512})/g,
  },
]

/** Every shape starts at one of these; a text without any, which is nearly every text, is not searched further. */
export const SHAPE_HINT =
  /-----BEGIN |AGE-SECRET-|A[KSB]IA|ACCA|gh[opusr]_|github_pat_|gl[a-z]{2,5}-|xox|xapp-|slack\.com|[sr]k_|whsec_|sk-|AIza|ya29|GOCSPX|npm_|hf_|dapi|dop_v1|shpat_|lin_api|hvs\.|pypi-|SG\.|eyJ|authorization|bearer|cookie|:\/\/|curl\s|sshpass|login\s/i

function isMixed(value: string): boolean {
  return /\d/.test(value) && /[a-z]/.test(value.slice(3)) && /[A-Z]/.test(value)
}
