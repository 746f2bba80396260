declare const HOLDPOINT_BUILD: string | undefined

/** Changes with every build, so that a plan cached by a different build is not read. Set by the bundler. */
export const BUILD_ID: string = typeof HOLDPOINT_BUILD === 'string' ? HOLDPOINT_BUILD : 'source'
