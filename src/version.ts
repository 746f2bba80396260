/** Kept equal to package.json by a gate. */
export const VERSION = '0.1.0'
