import { isLiteral } from './mask.ts'

export interface Shape {
  readonly kind: string
  /** The named groups `before`, `secret` and `after` keep the text around the secret. */
  readonly pattern: RegExp
  /** A final check of the secret. False: it is not masked. */
  only?(secret: string): boolean
}

/** Secrets known by their shape. No word boundaries: a token joined to other text is still a token. */
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
  // Joined to a word it may be the end of `task-...`: then mask only what cannot be a word.
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
  {
    kind: 'telegram-token',
    pattern: /(?<![\d.:])\d{8,10}:[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])/g,
    only: isMixed,
  },
  {
    kind: 'discord-token',
    pattern:
      /(?<![A-Za-z0-9_-])[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,45}|mfa\.[A-Za-z0-9_-]{80,95}/g,
  },
  {
    kind: 'webhook',
    pattern:
      /(?<before>(?:discord(?:app)?\.com\/api\/webhooks\/\d{5,25}\/|\.webhook\.office\.com\/webhookb2\/|outlook\.office\.com\/webhook\/|hooks\.zapier\.com\/hooks\/catch\/|api\.telegram\.org\/bot))(?<secret>[A-Za-z0-9/_@:.-]{16,512})/g,
  },
  { kind: 'twilio-key', pattern: /(?<![A-Za-z0-9])SK[0-9a-f]{32}(?![0-9a-f])/g },
  { kind: 'doppler-token', pattern: /dp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9_.-]{30,255}/g },
  { kind: 'supabase-key', pattern: /sbp_(?:oauth_)?[a-f0-9]{30,64}|sb_secret_[A-Za-z0-9_-]{16,255}/g },
  {
    kind: 'azure-signature',
    pattern: /(?<before>[?&;](?:sig|SharedAccessSignature)=)(?<secret>[A-Za-z0-9%/+=_-]{20,512})/gi,
  },
  { kind: 'azure-secret', pattern: /(?<![A-Za-z0-9_~.-])[A-Za-z0-9_~.]{3}\dQ~[A-Za-z0-9_~.-]{31,34}/g },
  {
    kind: 'token',
    pattern:
      /(?<![A-Za-z0-9])(?:do[or]_v1_|shp(?:ss|ca|pa)_|figd_|ntn_|ATATT3|ATBB|nfp_|rnd_|pscale_(?:tkn|pw|oauth)_|napi_|gls?[ac]_|sntry[su]_|NRAK-|hvb\.|r8_|gsk_|xai-|pplx-|rubygems_|cio|oy2|dckr_(?:pat|oat)_|CLOJARS_|AKCp|sq[pua]_|CCIPAT_|CCIPRJ_|bk[ua]{2}_|fm[12]_|fo1_|PMAK-|sq0(?:atp|csp|idp)-|EAACEdEose0cBA|ops_eyJ|pul-|tskey-|phc_|phx_|sk_[a-f0-9]{2}|FlyV1\s|key-|gl(?:ft|imt|ffct)-|GR1348941|tfp_|CFPAT-|pat[A-Za-z0-9]{14}\.|1\/\/0)[A-Za-z0-9_.-]{20,512}/g,
    only: (found) => /\d/.test(found) && (found.match(/[A-Za-z]/g)?.length ?? 0) >= LETTERS_LEAST,
  },
  { kind: 'token', pattern: /(?<![A-Za-z0-9])(?:secret|re)_[A-Za-z0-9_]{20,255}/g, only: isMixed },
  { kind: 'token', pattern: /(?<![A-Za-z0-9.])s\.[A-Za-z0-9]{24}(?![A-Za-z0-9])/g, only: isMixed },
  { kind: 'token', pattern: /[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{40,128}/g },
  { kind: 'token', pattern: /(?<![0-9a-f])[0-9a-f]{32}-us\d{1,2}(?!\d)/g },
  { kind: 'token', pattern: /(?<before>\boauth:)(?<secret>[a-z0-9]{30})(?![a-z0-9])/g },
  { kind: 'token', pattern: /AAAA[A-Za-z0-9_-]{7}:[A-Za-z0-9_-]{100,200}/g },
  {
    kind: 'token',
    pattern:
      /(?<![A-Za-z0-9])(?:fc-[0-9a-f]{32}|sgp_[A-Za-z0-9_]{40,80}|lsv2_(?:pt|sk)_[0-9a-f]{32}_\w{8,16}|pat-(?:na|eu)\d-[0-9a-f-]{36}|EZAK[A-Za-z0-9]{54})(?![A-Za-z0-9])/g,
  },
  { kind: 'sendgrid-key', pattern: /SG\.[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16,128}/g },
  {
    // Starts at the beginning of a run of letters, so that a long run without a dot is scanned once.
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
  // A password may contain an unescaped `@`, and an unescaped `/` unless the part before it is a port.
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
  {
    // The form that most services use now: a short name, and a long word that nobody would write. It comes last: a
    // token with parts, such as a JWT, is masked whole by its own shape before this one could mask a part of it.
    kind: 'token',
    pattern:
      /(?<![A-Za-z0-9_./-])[A-Za-z][A-Za-z0-9]{1,9}[_.-](?:[a-z]{1,8}[_-])?[A-Za-z0-9]{24,512}(?![A-Za-z0-9])/g,
    only: (found) => isMixed(found) && (found.match(/\d/g)?.length ?? 0) >= DIGITS_LEAST,
  },
]

/**
 * Every shape starts with one of these. Text without any of them, which is nearly all text, is not searched
 * further.
 */
export const SHAPE_HINT =
  /[_.-][A-Za-z0-9]{24}|pat-[ne]|EZAK|fc-|sgp_|lsv2_|-----BEGIN |AGE-SECRET-|A[KSB]IA|ACCA|gh[opusr]_|github_pat_|gl[a-z]{2,5}-|xox|xapp-|slack\.com|[sr]k_|whsec_|sk-|AIza|ya29|GOCSPX|npm_|hf_|dapi|dop_v1|shpat_|lin_api|hvs\.|pypi-|SG\.|eyJ|\d{8}:|[MNO][\w-]{23,27}\.|mfa\.|webhook|hooks\.|telegram|SK[0-9a-f]{32}|dp\.|sbp_|sb_secret|sig=|SharedAccessSignature|\dQ~|_v1_|shp|fig?d_|ntn_|secret_|AT(?:ATT|BB)|nfp_|rnd_|pscale_|napi_|gl[a-z]{1,5}_|sntry|NRAK|hvb\.|r8_|gsk_|xai-|pplx-|rubygems_|cio|oy2|dckr_|CLOJARS|AKCp|sq[a-z0-9]{1,4}[_-]|CCIP|bk[ua]{2}_|f[mo][12]_|PMAK|EAAC|ops_|pul-|tskey|ph[cx]_|re_|FlyV1|key-|GR13|tfp_|CFPAT|pat[A-Za-z0-9]{14}|1\/\/0|s\.[A-Za-z0-9]{24}|atlasv1|-us\d|oauth:|AAAA|authorization|bearer|cookie|:\/\/|curl\s|sshpass|login\s/i

/** A word with a number in it is not one either. */
const DIGITS_LEAST = 3

/** A number with a prefix is not a token. */
const LETTERS_LEAST = 8

function isMixed(value: string): boolean {
  return /\d/.test(value) && /[a-z]/.test(value.slice(3)) && /[A-Z]/.test(value)
}
