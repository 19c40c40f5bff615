import { useText } from './text.tsx'

/** A period whose last day is the first that is free again, as of a hire or a restriction. */
export function Period({ from, to }: { from: string; to: string }) {
  const { list } = useText()
  return (
    <span className="period">
      <span className="num">{`${from} –`}</span> <span className="num">{list.endDay(to)}</span>
    </span>
  )
}
