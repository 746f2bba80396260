import { lazily } from '../lazily.ts'
import { isLiteral } from './mask.ts'
import type { Shape } from './shapes.ts'

/** What is searched only in a text with one of its words: to look for a word is much less than to make a pattern. */
export interface Hinted {
  /** In small letters, for capitals too. */
  readonly words: readonly string[]
  shape(): Shape
}

/**
 * Passwords that client programs take as an argument: `redis-cli -a …`, `zip -P …`. The letter alone says nothing, so each
 * is searched only after the name of its program, on the same line and before the command ends.
 */

const BETWEEN = String.raw`\b[^\r\n|;&]{0,400}?`
const VALUE = String.raw`(?<secret>\\{0,3}"[^"\r\n]{1,512}"|\\{0,3}'[^'\r\n]{1,512}'|[^\s"'|;&]{1,512})`

/** The programs, and the text before the value. Where the programs are no plain list, words that are in every match. */
function client(programs: string, before: string, words = programs.split('|')): Hinted {
  return {
    words,
    shape: lazily(() => ({
      kind: 'password',
      pattern: new RegExp(String.raw`(?<before>(?<![\w-])(?:${programs})${BETWEEN}${before})${VALUE}`, 'g'),
      only: isGiven,
    })),
  }
}

function hinted(words: readonly string[], shape: Shape): Hinted {
  return { words, shape: () => shape }
}

const spaced = (option: string): string => String.raw`\s(?:${option})[ =]{1,4}`
const attached = (option: string): string => String.raw`\s(?:${option})`
const either = (option: string): string => String.raw`\s(?:${option})[ =]{0,4}`

/** Not a variable, a substitution, another option or a place holder. */
function isGiven(secret: string): boolean {
  const value = secret.replace(/^\\{0,3}["']|\\{0,3}["']$/g, '')
  return value !== '' && !/^(?:[-$`<%{@*]|\[redacted:)/.test(value) && isLiteral(value)
}

/** Made when a text hints at one: most do not, and the patterns are long. */
export const clients = lazily((): readonly Hinted[] => [
  client('mysql|mariadb|mysqldump|mariadb-dump|mysqladmin|mysqlimport|mysqlsh|mycli|mytop', attached('-p')),
  client('redis-cli|valkey-cli|keydb-cli', spaced('-a')),
  client(
    '(?:docker|podman|nerdctl|buildah|skopeo|oras|crane|helm|regctl)(?: registry)? login',
    either('-p'),
    ['login'],
  ),
  client(
    'smbclient|smbmap|smbget|rpcclient|net|winexe|mount\\.cifs',
    String.raw`\s-U[ =]{0,4}["']?[^\s%"']{1,128}%`,
    ['smb', 'rpcclient', 'net', 'winexe', 'cifs'],
  ),
  client('lftp|ncftp', String.raw`\s-u[ =]{0,4}["']?[^\s,"']{1,128},`),
  client(
    'ncftp|ncftpput|ncftpget|cypher-shell|cqlsh|rabbitmqadmin|evil-winrm|crackmapexec|nxc|netexec|racadm',
    spaced('-p'),
  ),
  client('ldap(?:search|modify|add|delete|whoami|passwd|compare|modrdn)', either('-w'), ['ldap']),
  client('ldappasswd', spaced('-[as]')),
  client('mongosh|mongo|mongodump|mongorestore|mongoexport|mongoimport', either('-p')),
  client('sqlcmd|bcp|osql|tsql|ipmitool|mosquitto_pub|mosquitto_sub|mosquitto_rr|sshfs', either('-P')),
  client('az (?:login|acr login|ad sp)', spaced('-p'), ['az ']),
  client(
    'htpasswd',
    String.raw`\s-[a-zA-Z]*b[a-zA-Z]*(?:\s{1,4}-\S{1,8})*\s{1,4}(?:[^\s]{1,256}\s{1,4}){1,2}`,
  ),
  client('openssl', String.raw`["'\s]pass:`),
  client('openssl', spaced('-k|-K|-passwd|-srppass')),
  client('7z|7za|7zz|7zr|rar|unrar', attached('-h?p')),
  client('zip|unzip|zipcloak|zipinfo', either('-P')),
  client('ansible-vault encrypt_string', String.raw`\s{1,4}(?:--name\s{1,4}\S{1,128}\s{1,4})?`),
  client(
    'keytool|jarsigner|apksigner',
    String.raw`\s-{1,2}(?:storepass|keypass|ks-pass|key-pass|new|srcstorepass|deststorepass|srckeypass|destkeypass)(?:\s{1,4}|=)(?:pass:)?`,
  ),
  client('signtool', String.raw`\s\/p\s{1,4}`),
  client('xfreerdp|wfreerdp|rdesktop', String.raw`\s(?:\/p:|-p\s{1,4})`),
  client('rabbitmqctl', String.raw`\s(?:add_user|change_password|authenticate_user)\s{1,4}\S{1,128}\s{1,4}`),
  client('vault', String.raw`\slogin\s{1,4}(?:-\S{1,64}\s{1,4}){0,4}(?:token=)?`),
  client('vault', String.raw`\s(?:kv\s{1,4}(?:put|patch)|write)\s{1,4}\S{1,256}\s{1,4}[\w.-]{1,64}=`),
  client('curl|wget', String.raw`\s(?:-U|--proxy-user|--ftp-user)[ =]{1,4}["']?[^\s:"']{1,128}:`),
  client('https?|xh|xhs', String.raw`\s(?:-a|--auth)[ =]{1,4}["']?[^\s:"']{1,128}:`, ['http', 'xh']),
  client(
    'nmcli',
    String.raw`\s(?:password|wifi-sec\.psk|802-11-wireless-security\.psk|802-1x\.password)\s{1,4}`,
  ),
  client('wpa_passphrase', String.raw`\s{1,4}(?:"[^"]{1,64}"|'[^']{1,64}'|\S{1,64})\s{1,4}`),
  client('snmp(?:walk|get|set|bulkwalk|table)', spaced('-[Ac]'), ['snmp']),
  client('snmp(?:walk|get|set|bulkwalk|table)', spaced('-X'), ['snmp']),
  client('useradd|usermod', spaced('-p')),
  client('net', String.raw`\suser\s{1,4}\S{1,64}\s{1,4}(?!\/)`),
  client('sqlplus|expdp|impdp|sqlldr|rman', String.raw`\s["']?[A-Za-z][\w$#.]{0,64}\/`),
  client('db2', String.raw`\susing\s{1,4}`),
  client('hdbsql|isql-v', spaced('-p')),
  client(
    'gh|glab|wrangler|fly|flyctl|vercel|netlify|supabase|railway|doppler',
    String.raw`\s(?:secrets?|variables?|env(?::set)?)\b[^\r\n|;&]{0,200}?(?:\s-b[ =]{0,4}|\s(?:--body|--value|-v)[ =]{1,4}|\s[A-Z][A-Z0-9_]{1,64}=)`,
  ),
  client('netlify', String.raw`\senv:set\s{1,4}\w{1,64}\s{1,4}`),
  client('aws secretsmanager', spaced('--secret-string|--secret-binary')),
  client('aws ssm put-parameter', spaced('--value')),
  client('az keyvault secret', spaced('--value')),
  client('kubectl|oc|k3s', String.raw`\s--from-literal[ =]{1,4}["']?[\w.-]{1,128}=`),
  client('npm|pnpm|yarn', String.raw`\sset\s{1,4}\S{0,128}(?:_authToken|_auth|_password)[ =]{1,4}`, [
    '_auth',
    '_password',
  ]),
  client('rclone', String.raw`\sobscure\s{1,4}`),
  client('rclone', String.raw`\s(?:secret_access_key|pass|password|token|key|client_secret)[ =]{1,4}`),
  client('net', String.raw`\suse\s{1,4}(?:\S{1,3}:?\s{1,4})?\\{2,8}\S{1,256}\s{1,4}(?!\/)`),
  // One after the other, each with its value: all of them.
  hinted(['secrets', 'config:'], {
    kind: 'password',
    pattern:
      /(?<before>\b(?:(?:fly|flyctl)\s{1,4}secrets\s{1,4}(?:set|import)|heroku\s{1,4}config:(?:set|add))\s{1,4})(?<secret>[^\r\n|;&]{1,2048})/g,
    only: isGiven,
  }),
  client('isql|snowsql', either('-[pP]')),
  client('ssh-keygen', spaced('-[NP]')),
  client('jwt encode', spaced('-S')),
  client('age', spaced('-p')),
  client('setx', String.raw`\s\w{1,64}\s{1,4}`),
  client('set', String.raw`\s-[a-zA-Z]*x[a-zA-Z]*\s{1,4}\w{0,64}(?:TOKEN|KEY|SECRET|PASS\w{0,8})\s{1,4}`),
  client('smbclient', String.raw`\s["']?(?:\/\/|\\{2,8})\S{1,256}\s{1,4}(?!-)`),
  client('consul', String.raw`\skv\s{1,4}put\s{1,4}\S{0,256}(?:pass|secret|token|key)\S{0,64}\s{1,4}`),
  client('npm|pnpm|yarn', String.raw`\sset\s{1,4}\S{0,128}(?:AuthToken|AuthIdent)[ =]{1,4}`, ['auth']),
  client('gem push', spaced('--key')),
  client('nuget', String.raw`\s(?:setapikey|SetApiKey)\s{1,4}`),
  client(
    'fly|flyctl|snyk|netlify|sentry-cli|hcloud|linode-cli',
    String.raw`\sauth(?:\s{1,4}(?:token|login))?\s{1,4}(?!-)`,
  ),
  client('vercel', spaced('-t')),
  client('netlify', spaced('--auth|-a')),
  client('doppler', String.raw`\sconfigure\s{1,4}set\s{1,4}token[ =]{1,4}`),
  client('bw|twilio|lpass', String.raw`\slogin\s{1,4}\S{1,128}\s{1,4}(?!-)`),
  client('sonar-scanner|mvn|gradle', String.raw`\s-Dsonar\.login=`),
  client('telnet|gcloud secrets', String.raw`[^\r\n]{0,100}<<<\s{0,4}`, ['<<<']),
  hinted(['auth', 'login'], {
    kind: 'password',
    pattern:
      /(?<before>\b(?:db\.auth|auth\s{0,4}=|HTTPBasicAuth|basic_auth|setBasicAuth|login)\s{0,4}\(\s{0,4}\\{0,3}["'][^"'\r\n]{1,128}["']\s{0,4},\s{0,4}\\{0,3}["'])(?<secret>[^"'\r\n\\]{3,512})/g,
    only: isGiven,
  }),
  hinted(['send'], {
    kind: 'password',
    pattern: /(?<before>\bsend\s{1,4}(?:--\s{1,4})?\\{0,3}")(?<secret>[^"\r\n\\]{6,256})(?<after>\\{1,4}r)/g,
    only: (value) => isGiven(value) && /\d/.test(value) && !/\s/.test(value),
  }),
  client('mc', String.raw`\salias\s{1,4}set\s{1,4}\S{1,64}\s{1,4}\S{1,256}\s{1,4}\S{1,128}\s{1,4}`),
  client('doctl', String.raw`\s(?:-t|--access-token)[ =]{1,4}`),
  client('bw', String.raw`\sunlock\s{1,4}`),
  client('bw', String.raw`\slogin\s{1,4}\S{1,128}@\S{1,128}\s{1,4}`),
  client('cargo', String.raw`\slogin\s{1,4}(?:--registry[ =]{1,4}\S{1,64}\s{1,4})?`),
  client('twine', spaced('-p')),
  client('poetry', String.raw`\sconfig\s{1,4}(?:--\S{1,32}\s{1,4})?pypi-token\.\S{1,64}\s{1,4}`),
  client(
    'poetry',
    String.raw`\sconfig\s{1,4}(?:--\S{1,32}\s{1,4})?http-basic\.\S{1,64}\s{1,4}\S{1,128}\s{1,4}`,
  ),
  client('(?:gem|nuget|dotnet nuget) push', spaced('-k|-ApiKey'), ['gem push', 'nuget push']),
  client('dotnet user-secrets', String.raw`\sset\s{1,4}(?:"[^"]{1,128}"|\S{1,128})\s{1,4}`),
  client('tailscale|headscale', String.raw`\s--auth-?key[ =]{1,4}`),
  client('ngrok', String.raw`\s(?:add-)?authtoken\s{1,4}`),
  client('cloudflared|(?:actions-)?runner|config\\.sh', String.raw`\s--token[ =]{1,4}`, ['--token']),
  client('pdftk', String.raw`\s(?:user_pw|owner_pw|input_pw)\s{1,4}`),
  client('qpdf', String.raw`\s--encrypt\s{1,4}`),
  client('sudo', String.raw`\s-S\b[^\r\n]{0,100}<<<\s{0,4}`, ['<<<']),
  client(
    'kinit|passwd|chpasswd|cryptsetup|gpg|docker login|gh (?:auth|secret)|wrangler (?:pages )?secret|vercel env|pass|op|vault|npm login',
    String.raw`[^\r\n]{0,100}<<<\s{0,4}`,
    ['<<<'],
  ),
  client(
    '(?:secretsdump|psexec|wmiexec|smbexec|GetUserSPNs|atexec|dcomexec)(?:\\.py)?',
    String.raw`\s["']?(?:[\w.-]{1,64}\/)?[\w.-]{1,64}:(?=[^\s@]{1,128}@)`,
    ['secretsdump', 'exec', 'getuserspns'],
  ),
  hinted(['echo', 'printf'], {
    kind: 'password',
    pattern:
      /(?<before>\b(?:echo|printf)\s{1,4}(?:-[neE]{1,3}\s{1,4})?)(?<secret>\\{0,3}"[^"\r\n]{1,256}"|\\{0,3}'[^'\r\n]{1,256}'|[^\s"'|;&]{1,256})(?<after>\s{0,4}\|\s{0,4}(?:sudo\s{1,4}(?:-\S{1,16}\s{1,4}){0,4}-S\b|(?:sudo\s{1,4})?(?:passwd|chpasswd|smbpasswd|cryptsetup|kinit|docker\s{1,4}login|podman\s{1,4}login|gh\s{1,4}auth|gh\s{1,4}secret|wrangler\s{1,4}secret|vercel\s{1,4}env|npm\s{1,4}login|gpg)\b))/g,
    only: isGiven,
  }),
  hinted(['identified', 'password'], {
    kind: 'password',
    pattern:
      /(?<before>(?:\bIDENTIFIED\s{1,8}(?:WITH\s{1,8}\S{1,64}\s{1,8})?(?:BY|AS)(?:\s{1,8}PASSWORD)?\s{1,8}\\{0,3}["']|(?<![\w"'.-])(?:(?:UN)?ENCRYPTED\s{1,8})?PASSWORD(?:\s{1,8}|\s{0,4}\(\s{0,4})\\{0,3}'))(?<secret>[^"'\r\n\\]{1,512})(?<after>\\{0,3}["'])/gi,
    only: isGiven,
  }),
  hinted(['password'], {
    kind: 'password',
    pattern:
      /(?<before>\bSET\s{1,8}PASSWORD\b[^\r\n;]{0,200}?=\s{0,8}(?:PASSWORD\s{0,4}\(\s{0,4})?\\{0,3}["'])(?<secret>[^"'\r\n\\]{1,512})/gi,
    only: isGiven,
  }),
  hinted(['-file'], {
    kind: 'password',
    pattern:
      /(?<before>\bpass(?:word)?-file[ =]<\(\s{0,4}(?:echo|printf)\s{1,4}(?:-n\s{1,4})?)(?<secret>\\{0,3}"[^"\r\n]{1,256}"|\\{0,3}'[^'\r\n]{1,256}'|[^\s"')]{1,256})/g,
    only: isGiven,
  }),
  hinted(['identified', 'requirepass', 'masterauth', 'redis-cli', 'valkey-cli'], {
    kind: 'password',
    pattern:
      /(?<before>\b(?:IDENTIFIED\s{1,8}BY|REQUIREPASS|MASTERAUTH|(?:redis-cli|valkey-cli)\b[^\r\n|;&]{0,100}\bAUTH(?:\s{1,4}default)?)\s{1,8})(?<secret>[^\s"';|&]{3,512})/gi,
    only: isGiven,
  }),
  hinted(['curl', 'http', 'xh', 'wget'], {
    kind: 'cookie',
    pattern:
      /(?<before>\b(?:curl|http|xh|wget)\b[^\r\n|;&]{0,400}?\s(?:-b|--cookie)[ =]{0,4}\\{0,3}["']?)(?<secret>[\w.%-]{1,128}=[^"'\s\\]{1,4096}(?:;\s?[\w.%-]{1,128}=[^"'\s\\]{1,4096})*)/g,
  }),
  hinted(['sess', 'connect.sid', 'remember_user_token', 'wordpress_logged_in_'], {
    kind: 'cookie',
    pattern:
      /(?<before>\b(?:PHPSESSID|JSESSIONID|ASPSESSIONID\w{0,16}|ASP\.NET_SessionId|connect\.sid|sessionid|session_id|laravel_session|_[a-z_]{1,40}_session|remember_user_token|auth_session|wordpress_logged_in_\w{1,64})\s{0,2}=\s{0,2})(?<secret>[^\s;"'&,\\]{8,4096})/gi,
    only: isGiven,
  }),
  hinted(['cookie'], {
    kind: 'cookie',
    pattern: /(?<before>\bcookies?\s{0,4}[=:]\s{0,4}\{)(?<secret>[^{}\r\n]{3,4096})(?<after>\})/gi,
  }),
  hinted(['document.cookie'], {
    kind: 'cookie',
    pattern: /(?<before>document\.cookie\s{0,4}=\s{0,4}["'`])(?<secret>[^"'`\r\n]{3,4096})/g,
  }),
])
