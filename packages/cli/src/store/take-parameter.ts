/** Takes a parameter out of an address, so that its client does not see it. Empty is none. */
export function takeParameter(url: URL, name: string): string | undefined {
  const value = url.searchParams.get(name);
  url.searchParams.delete(name);
  return value === null || value === "" ? undefined : value;
}
