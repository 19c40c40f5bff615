import type { ComponentProps } from 'react'

type LinkProps = Omit<ComponentProps<'a'>, 'href'> & { to: string; replace?: boolean; preventScrollReset?: boolean }

/**
 * A link to another page of this site: a plain anchor, which one listener of the root follows (root.tsx). The router's own link resolves its
 * address and carries handlers, which on a page with a hundred links takes longer than the rest of the page. `data-discover` is the router's:
 * it fetches the route of the link ahead.
 */
export function Link({ to, replace, preventScrollReset, children, ...rest }: LinkProps) {
  return (
    <a href={to} data-discover="" data-replace={replace || undefined} data-keeps-scroll={preventScrollReset || undefined} {...rest}>
      {children}
    </a>
  )
}
