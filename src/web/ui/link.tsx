import type { ComponentProps } from 'react'

type LinkProps = Omit<ComponentProps<'a'>, 'href'> & { to: string; replace?: boolean; preventScrollReset?: boolean }

/**
 * A way to another page of this site: an anchor and nothing else, followed by the one listener of the root (root.tsx). The router's own
 * resolves its address and carries handlers in each link, which on a page with a hundred of them costs more than the rest of the page.
 * `data-discover` is its own: where the link leads to is known before it is followed.
 */
export function Link({ to, replace, preventScrollReset, children, ...rest }: LinkProps) {
  return (
    <a href={to} data-discover="" data-replace={replace || undefined} data-keeps-scroll={preventScrollReset || undefined} {...rest}>
      {children}
    </a>
  )
}
