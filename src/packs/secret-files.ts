import { pathList } from './path-list.ts'

/** Passwords, tokens and sessions that tools keep. */
export const CREDENTIALS = pathList(
  ...['.netrc', '_netrc', '.authinfo', '.authinfo.gpg', '.git-credentials', '~/.config/git/credentials'],
  // Clouds and hosting.
  ...[
    '.aws/credentials',
    '.aws/sso/cache/**',
    '.aws/cli/cache/**',
    '~/.aws',
    '.boto',
    '.s3cfg',
    '.passwd-s3fs',
  ],
  ...['gcloud/credentials.db', 'gcloud/access_tokens.db', 'gcloud/application_default_credentials.json'],
  ...['gcloud/legacy_credentials/**', '~/.config/gcloud', 'service-account*.json', 'service_account*.json'],
  ...['serviceaccount*.json', '*firebase-adminsdk*.json', 'client_secret*.json', 'gcp-key*.json'],
  ...[
    '.azure/accesstokens.json',
    '.azure/msal_token_cache.*',
    '.azure/service_principal_entries.*',
    '~/.azure',
  ],
  ...[
    'doctl/config.yaml',
    '.fly/config.yml',
    '.oci/config',
    '.oci/*.pem',
    '~/.oci',
    'hcloud/cli.toml',
    '.linode-cli',
  ],
  ...[
    'com.vercel.cli/auth.json',
    '~/.vercel/auth.json',
    '~/.config/netlify/config.json',
    '.railway/config.json',
  ],
  ...[
    'configstore/firebase-tools.json',
    '.wrangler/config/default.toml',
    '.supabase/access-token',
    '.heroku/credentials',
  ],
  ...[
    '~/.config/stripe/config.toml',
    '.databrickscfg',
    '.snowsql/config',
    '.kaggle/kaggle.json',
    'huggingface/token',
  ],
  ...[
    '~/.terraformrc',
    '.terraform.d/credentials.tfrc.json',
    '.pulumi/credentials.json',
    '.ngrok2/ngrok.yml',
  ],
  ...[
    'rclone.conf',
    '.cloudflared/*.json',
    '.cloudflared/cert.pem',
    '~/.config/op/config',
    'sops/age/keys.txt',
  ],
  // Clusters and containers.
  ...[
    '.kube/config',
    '~/.kube',
    '/etc/kubernetes/*.conf',
    '/etc/kubernetes/pki/**',
    '/etc/rancher/k3s/k3s.yaml',
  ],
  ...[
    '*kubeconfig',
    'kubeconfig.y*ml',
    'secrets/kubernetes.io/serviceaccount/token',
    '/run/secrets/**',
    '/var/run/secrets/**',
  ],
  ...['.docker/config.json', 'containers/auth.json', 'helm/registry/config.json', '/var/lib/docker/swarm/**'],
  // Registries of packages.
  ...['~/.npmrc', '~/.yarnrc.yml', '.pypirc', 'pypoetry/auth.toml', '.gem/credentials', '~/.bundle/config'],
  ...[
    '.cargo/credentials',
    '.cargo/credentials.toml',
    '.nuget/nuget/nuget.config',
    '~/.config/nuget/nuget.config',
  ],
  ...[
    '.composer/auth.json',
    '~/.config/composer/auth.json',
    '.m2/settings-security.xml',
    '~/.m2/settings.xml',
  ],
  ...[
    '~/.gradle/gradle.properties',
    '.sbt/.credentials',
    '.ivy2/.credentials',
    '.hex/hex.config',
    'pub-credentials.json',
  ],
  // Code hosts, databases, vaults.
  ...[
    '~/.config/gh/hosts.yml',
    '~/.config/hub',
    'glab-cli/config.yml',
    '~/.config/tea/config.yml',
    '.pgpass',
  ],
  ...['.my.cnf', '.mylogin.cnf', '.rediscli_auth', '/etc/mysql/debian.cnf', '.vault-token', '.vault_pass*'],
  ...[
    'vault_password*',
    '.vault-password*',
    '.htpasswd',
    '~/.jenkins/secrets/**',
    '/var/lib/jenkins/secrets/**',
  ],
  ...[
    '.subversion/auth/**',
    '.msmtprc',
    '.fetchmailrc',
    '.smbcredentials',
    '.lftp/bookmarks',
    '.davfs2/secrets',
  ],
  ...['filezilla/sitemanager.xml', 'filezilla/recentservers.xml', 'dbeaver*/credentials-config.json'],
  // Other agents' own logins.
  ...['.claude/.credentials.json', '.codex/auth.json', '.gemini/oauth_creds.json', 'github-copilot/*.json'],
  // Keyrings, browsers, wallets.
  ...[
    '~/.password-store/**',
    '~/library/keychains/**',
    '.local/share/keyrings/**',
    '*.keychain',
    '*.keychain-db',
  ],
  ...['login data', 'logins.json', 'key4.db', 'key3.db', 'cookies.sqlite', 'signons.sqlite', 'wallet.dat'],
  ...[
    '~/.config/google-chrome/**',
    '~/library/application support/google/chrome/**',
    '~/.config/chromium/**',
  ],
  ...['.electrum/wallets/**', '.ethereum/keystore/**'],
  ...['.config/solana/id.json'],
  // The system's.
  ...['/etc/shadow', '/etc/shadow-', '/etc/gshadow', '/etc/gshadow-', '/etc/master.passwd', '/etc/sudoers'],
  ...[
    '/etc/security/opasswd',
    '/etc/ppp/chap-secrets',
    '/etc/wpa_supplicant/wpa_supplicant.conf',
    '*.keytab',
  ],
  ...['/etc/wireguard/*.conf', '/etc/networkmanager/system-connections/**', '/etc/ipsec.secrets'],
  ...['/proc/*/environ', '/proc/*/task/*/environ', '/proc/*/mem', '/proc/kcore', '/dev/mem', 'ntds.dit'],
)

/** Keys whose names do not end as keys do, and the folders they are kept in. */
export const KEYS = pathList(
  ...['.gnupg/private-keys-v1.d/**', 'secring.gpg', '~/.gnupg', '~/.ssh', '.ssh', '/etc/ssl/private/**'],
  ...[
    '/etc/ssh/ssh_host_*_key',
    '/etc/letsencrypt/live/*/privkey*',
    '/etc/letsencrypt/archive/**',
    '~/.age/**',
  ],
)

/** Settings of applications in which passwords are written. */
export const SETTINGS = pathList('settings.php', 'settings.local.php', 'wp-config.php', 'local.settings.json')

/** Files that hold secrets more often than not. */
export const LIKELY = pathList(
  ...[
    'secrets.yml',
    'secrets.yaml',
    'secrets.json',
    'secrets.toml',
    'secrets.ini',
    'secret.yml',
    'secret.yaml',
  ],
  ...[
    'secret.json',
    '*.secrets.json',
    '*.secrets.y*ml',
    'secrets.tfvars',
    'credentials.json',
    'credentials.yml',
  ],
  ...['credentials.yaml', 'credentials.xml', 'token.json', '.token', '*.tfstate', '*.tfstate.backup'],
  ...['appsettings.production.json', 'local_settings.py', 'tokens.db', 'secrets.env', 'prod.env'],
  ...[
    'production.env',
    '~/.bash_history',
    '~/.zsh_history',
    '~/.sh_history',
    '~/.histfile',
    '~/.python_history',
  ],
  ...[
    '~/.psql_history',
    '~/.mysql_history',
    '~/.node_repl_history',
    '~/.rediscli_history',
    'fish/fish_history',
  ],
  ...['~/.local/share/atuin/history.db', 'consolehost_history.txt'],
)
