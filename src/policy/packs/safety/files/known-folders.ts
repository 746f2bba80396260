import { wordList, wordSet } from '../../../../core/word-list.ts'

/** Well-known file and folder names. Data only. */

export const TEMPORARY = wordList(
  '/tmp /var/tmp /private/tmp /private/var/tmp /dev/shm /var/folders /private/var/folders',
)

/** Protected, together with everything in them. */
export const SYSTEM_TREES = wordList(`
  /bin /boot /dev /etc /lib /lib32 /lib64 /libx32 /proc /sbin /sys /usr /var /System /Library /private/etc
  /private/var /nix /snap
`)

/** Folders inside the trees above where programs and users keep their own files. */
export const OPEN_TREES: readonly RegExp[] = [
  /^\/usr\/local\/[^/]+\/./,
  /^\/usr\/local\/(?!(bin|sbin|lib|lib64|etc|share|include|man|src|games|libexec|opt|Cellar|Homebrew)$)[^/]+$/,
  /^\/usr\/src\/./,
  /^\/var\/(cache|www)\/./,
  /^\/var\/lib\/apt\/lists(\/|$)/,
]

/** Only the folder itself is protected, not the files in it. */
export const SYSTEM_FOLDERS = wordList(
  '/home /Users /root /opt /run /srv /mnt /media /Applications /Volumes /private',
)

export const HOME_FOLDERS = wordSet(`
  Desktop Documents Downloads Library Movies Music Pictures Public Videos .aws .config .gnupg .kube .local
  .local/share .local/bin .ssh
`)

/** Losing one of these files means losing access to something. */
export const HOME_KEYS = /^\.(ssh\/(?!known_hosts)|gnupg\/|aws\/|kube\/config)/

/** Settings that a person wrote by hand. */
export const HOME_SETTINGS =
  /^\.(bashrc|bash_profile|profile|zshrc|zprofile|zshenv|gitconfig|npmrc|netrc|vimrc|tmux\.conf|inputrc)$/

/** Created by tools, which can create it again. */
const OUTPUTS = wordSet(`
  node_modules bower_components dist build out target coverage htmlcov obj .next .nuxt .svelte-kit .output
  .turbo .parcel-cache .vite .angular .expo __pycache__ .pytest_cache .mypy_cache .ruff_cache .tox .nox .venv
  venv .eggs .gradle .dart_tool .nyc_output .cache .terraform .serverless .aws-sam cdk.out _build
  cmake-build-debug cmake-build-release zig-out zig-cache .zig-cache elm-stuff .stack-work dist-newstyle
  DerivedData Pods storybook-static playwright-report test-results tmp .tmp temp logs vendor
`)

export function isOutputName(name: string): boolean {
  return OUTPUTS.has(name) || /\.egg-info$|^bazel-\w+$|[._-](cache|tmp)$/.test(name)
}

/** Temporary files, known by their names. */
export function isLeftoverName(name: string): boolean {
  return (
    /\.(log|tmp|temp|bak|old|orig|rej|swp|swo|pyc|pyo|o|obj|class|cache|pid|lock|map|core)$|~$/.test(name) ||
    ['.DS_Store', 'Thumbs.db', 'desktop.ini', 'npm-debug.log*'].includes(name) ||
    isOutputName(name)
  )
}

/** Caches in a home folder. */
export const HOME_CACHES =
  /^(\.cache|\.npm|\.yarn\/(cache|berry)|\.pnpm-store|\.local\/share\/(pnpm\/store|Trash|virtualenvs)|\.gradle\/(caches|daemon)|\.m2\/repository|\.cargo\/(registry|git)|\.nuget\/packages|\.bun\/install\/cache|\.deno|go\/pkg\/mod|\.terraform\.d\/plugin-cache|\.expo|\.ivy2\/cache|\.sbt\/boot|\.pub-cache|\.cocoapods|\.electron|\.node-gyp|\.nv|\.thumbnails|\.Trash|Library\/(Caches|Logs|Developer\/Xcode\/DerivedData))(\/|$)/

/** Folders that contain files written by people. */
export const SOURCE_FOLDERS = wordSet(`
  src source sources lib libs app apps packages crates cmd internal pkg test tests __tests__ spec specs e2e
  docs doc config configs scripts migrations db database prisma components pages server client frontend
  backend api core services modules include assets data infra terraform k8s charts .git .github .gitlab
  .circleci .husky
`)

/** The same, at any depth of a project. */
export const NESTED_SOURCES: ReadonlySet<string> = new Set(['src', 'migrations', '.git', '.github'])

/** Extensions of files that people write. */
export const SOURCE_ENDINGS =
  /^\*\.(\{|[cm]?[jt]sx?$|py$|go$|rs$|rb$|php$|java$|kts?$|scala$|swift$|[ch]$|[ch](pp|xx|h|c)$|cs$|fs$|ex[s]?$|erl$|hs$|clj[s]?$|lua$|pl$|sh$|sql$|tf$|md$|mdx$|rst$|txt$|html?$|s?css$|vue$|svelte$|json$|ya?ml$|toml$|proto$|graphql$|env$)/
