import { wordList } from '../../core/word-list.ts'
import { pathList } from './path-list.ts'

const LOGINS = wordList('.netrc _netrc .authinfo .authinfo.gpg .git-credentials ~/.config/git/credentials')

/** Cloud and hosting providers. */
const CLOUDS = wordList(`
  .aws/credentials .aws/sso/cache/** .aws/cli/cache/** ~/.aws .boto .s3cfg .passwd-s3fs
  gcloud/credentials.db gcloud/access_tokens.db gcloud/application_default_credentials.json
  gcloud/legacy_credentials/** ~/.config/gcloud service-account*.json service_account*.json
  serviceaccount*.json *firebase-adminsdk*.json client_secret*.json gcp-key*.json
  .azure/accesstokens.json .azure/msal_token_cache.* .azure/service_principal_entries.* ~/.azure
  doctl/config.yaml .fly/config.yml .oci/config .oci/*.pem ~/.oci hcloud/cli.toml .linode-cli
  com.vercel.cli/auth.json ~/.vercel/auth.json ~/.config/netlify/config.json .railway/config.json
  configstore/firebase-tools.json .wrangler/config/default.toml .supabase/access-token .heroku/credentials
  ~/.config/stripe/config.toml .databrickscfg .snowsql/config .kaggle/kaggle.json huggingface/token
  ~/.terraformrc .terraform.d/credentials.tfrc.json .pulumi/credentials.json .ngrok2/ngrok.yml
  rclone.conf .cloudflared/*.json .cloudflared/cert.pem ~/.config/op/config sops/age/keys.txt
`)

/** Clusters and containers. */
const CLUSTERS = wordList(`
  .kube/config ~/.kube /etc/kubernetes/*.conf /etc/kubernetes/pki/** /etc/rancher/k3s/k3s.yaml
  *kubeconfig kubeconfig.y*ml secrets/kubernetes.io/serviceaccount/token /run/secrets/** /var/run/secrets/**
  .docker/config.json containers/auth.json helm/registry/config.json /var/lib/docker/swarm/**
`)

/** Package registries. */
const REGISTRIES = wordList(`
  ~/.npmrc ~/.yarnrc.yml .pypirc pypoetry/auth.toml .gem/credentials ~/.bundle/config
  .cargo/credentials .cargo/credentials.toml .nuget/nuget/nuget.config ~/.config/nuget/nuget.config
  .composer/auth.json ~/.config/composer/auth.json .m2/settings-security.xml ~/.m2/settings.xml
  ~/.gradle/gradle.properties .sbt/.credentials .ivy2/.credentials .hex/hex.config pub-credentials.json
`)

/** Code hosts, databases, vaults. */
const SERVICES = wordList(`
  ~/.config/gh/hosts.yml ~/.config/hub glab-cli/config.yml ~/.config/tea/config.yml .pgpass
  .my.cnf .mylogin.cnf .rediscli_auth /etc/mysql/debian.cnf .vault-token .vault_pass*
  vault_password* .vault-password* .htpasswd ~/.jenkins/secrets/** /var/lib/jenkins/secrets/**
  .subversion/auth/** .msmtprc .fetchmailrc .smbcredentials .lftp/bookmarks .davfs2/secrets
  filezilla/sitemanager.xml filezilla/recentservers.xml dbeaver*/credentials-config.json
`)

/** Login files of other agents. */
const AGENTS = wordList(
  '.claude/.credentials.json .codex/auth.json .gemini/oauth_creds.json github-copilot/*.json',
)

/** Keyrings, browsers, wallets. */
const KEYRINGS = wordList(`
  ~/.password-store/** ~/library/keychains/** .local/share/keyrings/** *.keychain *.keychain-db
  logins.json key4.db key3.db cookies.sqlite signons.sqlite wallet.dat
  ~/.config/google-chrome/** ~/.config/chromium/** .electrum/wallets/** .ethereum/keystore/**
  .config/solana/id.json com.apple.tcc/** ~/library/messages/** ~/library/cookies/** cookies.binarycookies
  com.apple.safari/data/library/cookies/**
`)

/** System files. */
const SYSTEM = wordList(`
  /etc/shadow /etc/shadow- /etc/gshadow /etc/gshadow- /etc/master.passwd /etc/sudoers
  /etc/security/opasswd /etc/ppp/chap-secrets /etc/wpa_supplicant/wpa_supplicant.conf *.keytab
  /etc/wireguard/*.conf /etc/networkmanager/system-connections/** /etc/ipsec.secrets
  /proc/*/environ /proc/*/task/*/environ /proc/*/mem /proc/kcore /dev/mem ntds.dit
`)

/** Names that contain a space, which a word list cannot contain. */
const SPACED = [
  'login data',
  '~/library/application support/google/chrome/**',
  '~/library/application support/firefox/profiles/**',
  '~/library/application support/bravesoftware/**',
  '~/library/application support/microsoft edge/**',
]

/** Passwords, tokens and sessions that tools store. */
export const CREDENTIALS = pathList(
  [LOGINS, CLOUDS, CLUSTERS, REGISTRIES, SERVICES, AGENTS, KEYRINGS, SYSTEM, SPACED].flat(),
)

/** Keys without a typical key extension, and the folders that contain them. */
export const KEYS = pathList(
  wordList(`
    .gnupg/private-keys-v1.d/** secring.gpg ~/.gnupg ~/.ssh .ssh /etc/ssl/private/**
    /etc/ssh/ssh_host_*_key /etc/letsencrypt/live/*/privkey* /etc/letsencrypt/archive/** ~/.age/**
  `),
)

/** Application settings that contain passwords. */
export const SETTINGS = pathList(
  wordList('settings.php settings.local.php wp-config.php local.settings.json'),
)

/** Files that often contain secrets. */
export const LIKELY = pathList(
  wordList(`
    secrets.yml secrets.yaml secrets.json secrets.toml secrets.ini secret.yml secret.yaml
    secret.json *.secrets.json *.secrets.y*ml secrets.tfvars credentials.json credentials.yml
    credentials.yaml credentials.xml token.json .token *.tfstate *.tfstate.backup
    appsettings.production.json local_settings.py tokens.db secrets.env prod.env
    production.env ~/.bash_history ~/.zsh_history ~/.sh_history ~/.histfile ~/.python_history
    ~/.psql_history ~/.mysql_history ~/.node_repl_history ~/.rediscli_history fish/fish_history
    ~/.local/share/atuin/history.db consolehost_history.txt
  `),
)
