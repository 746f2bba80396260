/** Tests: this process says that it runs on another system, until the returned function is called. */
export function pretendPlatform(platform: NodeJS.Platform): () => void {
  const own = process.platform
  const set = (value: NodeJS.Platform) => Object.defineProperty(process, 'platform', { value })
  set(platform)
  return () => {
    set(own)
  }
}
