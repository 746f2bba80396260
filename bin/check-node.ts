const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

/** An older Node would fail somewhere in the middle, and hosts read most failures as "go". */
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(
    `holdpoint: Node.js ${process.versions.node} is too old: 20.19 or newer is needed. Install one, then run: npx holdpoint init\n`,
  )
  process.exit(2)
}
