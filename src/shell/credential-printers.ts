/** Where a machine in a cloud asks for its own keys. */
const OF_THE_MACHINE =
  /(?:169\.254\.169\.254|metadata\.google\.internal|metadata\.goog|100\.100\.100\.200)\S*(?:credentials|token|user-data)|169\.254\.170\.2\b/

/** Names, labels and kinds are no secrets; every other part, and all of it, may be. */
const SHOWS_DATA =
  / (-o|--output)[ =]?(json(?!path)|yaml|(?:go-template|jsonpath)(?!=\{(?:\.items\[\*\])?\.(?:metadata\.(?:name|namespace|labels|uid)|type)\} )|custom-columns\S*data)| --template[ =]/

/**
 * Programs asked to print a password, token or key. Each line: the program, the words that must follow one another
 * among its arguments (options left out), what is printed, and an option without which it is not.
 */
export const PRINTERS: readonly (readonly [program: string, verbs: RegExp, what: string, option?: RegExp])[] =
  [
    ['gh', /\bauth token\b/, 'the GitHub token'],
    ['gh', /\bauth status\b/, 'the GitHub token', / (-t|--show-token) /],
    ['glab', /\b(auth|config) (token|get token)\b/, 'the GitLab token'],
    ['glab', /\bauth status\b/, 'the GitLab token', / (-t|--show-token) /],
    ['aws', /\bconfigure export-credentials\b/, 'the AWS credentials'],
    ['aws', /\bconfigure get \S*(secret|token|access_key)/, 'the AWS credentials'],
    ['aws', /\bsts (get-session-token|assume-role\S*|get-federation-token)\b/, 'AWS credentials'],
    ['aws', /\bsecretsmanager (batch-)?get-secret-value\b/, 'a secret of AWS'],
    ['aws', /\bssm get-parameters?\S*/, 'a secret parameter of AWS', / --with-decryption /],
    [
      'aws',
      /\b(ecr|ecr-public|codeartifact) get-(login-password|login|authorization-token)\b/,
      'a registry password',
    ],
    [
      'gcloud',
      /\bauth (application-default )?print-(access|identity|refresh)-token\b/,
      'a Google access token',
    ],
    ['gcloud', /\bsecrets versions access\b/, 'a secret of Google Cloud'],
    ['az', /\baccount get-access-token\b/, 'an Azure access token'],
    ['az', /\bkeyvault secret (show|download)\b/, 'a secret of Azure'],
    [
      'az',
      /\b(acr credential show|storage account keys list|cosmosdb keys list|webapp deployment list-publishing-\w+)\b/,
      'an Azure key',
    ],
    [
      'heroku',
      /\bauth:token\b|(^|\s)config(\s|$)|\bconfig:get\s(\S*\s)*\S*(KEY|TOKEN|SECRET|PASS|PWD|UR[LI]|DSN|CRED|AUTH|CERT|SALT|SESSION|[$])/i,
      'the settings of the application',
    ],
    ['fly', /\b(auth token|tokens create)\b/, 'the Fly token'],
    ['flyctl', /\b(auth token|tokens create)\b/, 'the Fly token'],
    [
      'doctl',
      /\bauth token\b|\b(kubernetes|databases) \S* ?(kubeconfig show|connection)\b/,
      'a DigitalOcean credential',
    ],
    ['oci', /\biam (auth-token|customer-secret-key) create\b/, 'an Oracle Cloud token'],
    ['vercel', /\benv pull\b/, 'the settings of the application'],
    ['doppler', /^secrets( get| download)?\b|\bconfigs tokens create\b/, 'secrets kept by Doppler'],
    ['rclone', /^config (show|dump)\b/, 'the passwords of the remotes'],
    ['direnv', /^(export|dump)\b/, 'the variables of the folder'],
    ['infisical', /^(secrets|export)\b/, 'secrets kept by Infisical'],
    ['chamber', /^(read|export|env)\b/, 'secrets kept by Chamber'],
    ['vault', /^(kv get|read|print token|token (create|lookup)|unwrap)\b/, 'a secret of Vault'],
    ['op', /^(read|item get|document get|signin)\b/, 'a secret of 1Password'],
    ['bw', /^(get|unlock|export|list items)\b/, 'a secret of Bitwarden'],
    ['lpass', /^(show|export)\b/, 'a password of LastPass'],
    [
      'pass',
      /^(?!(?:ls|list|find|git|init|help|version|insert|generate|rm|mv|cp|edit)\b)(show\s+)?\S/,
      'a password of the store',
    ],
    ['gopass', /^(show|cat)\b/, 'a password of the store'],
    ['keyring', /^get\b/, 'a password of the keyring'],
    ['secret-tool', /^(lookup|search)\b/, 'a password of the keyring'],
    ['security', /^(find-(generic|internet)-password)\b/, 'a password of the keychain', / -[a-z]*[gw] /],
    ['security', /^(dump-keychain|export)\b/, 'the keychain'],
    ['kwallet-query', /./, 'a password of the wallet', / (-[a-z]*r|--read-password)/],
    ...['kubectl', 'oc'].map(
      (program) => [program, /\bget (\S+,)?secrets?\b/, 'secrets of the cluster', SHOWS_DATA] as const,
    ),
    ['oc', /^whoami\b/, 'a token of the cluster', / (-t|--show-token) /],
    ['oc', /^(extract|sa get-token|create token)\b/, 'secrets of the cluster'],
    ...['curl', 'wget', 'http', 'https', 'xh'].map(
      (program) => [program, OF_THE_MACHINE, 'the keys this machine has in its cloud'] as const,
    ),
    ['netlify', /^env:(list|get)\b/, 'the settings of the application'],
    ['railway', /^(variables?|vars)\b/, 'the settings of the application'],
    ['kubectl', /\bconfig view\b/, 'the keys of the cluster', / --raw /],
    ['kubectl', /\bcreate token\b/, 'a token of the cluster'],
    ['git', /^credential(-\w+)? (fill|get)\b/, 'a git password'],
    ['git', /^config (get )?\S*extraheader$/i, 'a git password'],
    ['npm', /\bconfig get \S*_(authToken|auth|password)\b|\btoken create\b/, 'the npm token'],
    ['pnpm', /\bconfig get \S*_(authToken|auth|password)\b/, 'the npm token'],
    ['yarn', /\bconfig get \S*(npmAuthToken|npmAuthIdent|_authToken)\b/, 'the npm token'],
    ['ansible-vault', /^(view|decrypt)\b/, 'what is encrypted in the vault'],
    ['sops', /./, 'what is encrypted in the file', / (-d|--decrypt|decrypt) /],
    ...['gpg', 'gpg2', 'age', 'rage'].map(
      (program) =>
        [
          program,
          /./,
          'what is encrypted in the file',
          /^(?!.* (-o|--output)[ =]).* (-d|--decrypt) /,
        ] as const,
    ),
    ['gpg', /^/, 'a private key', / --export-secret-\S* /],
    ['gpg2', /^/, 'a private key', / --export-secret-\S* /],
    ['getent', /^(g?shadow)\b/, 'the passwords of the system'],
    ['pulumi', /^/, 'the secrets of the stack', / --show-secrets /],
    ['terraform', /^state pull\b|^output\b.*(secret|password|token|key)/, 'the state with its secrets'],
    ['tofu', /^state pull\b|^output\b.*(secret|password|token|key)/, 'the state with its secrets'],
    ['rails', /\bcredentials:show\b|\bencrypted:show\b/, 'the credentials of the application'],
    ['docker-credential-desktop', /^get\b/, 'a registry password'],
    ['docker-credential-osxkeychain', /^get\b/, 'a registry password'],
    ['docker-credential-pass', /^get\b/, 'a registry password'],
    ['docker-credential-secretservice', /^get\b/, 'a registry password'],
  ]
