import fc from 'fast-check'

// Every run tries the same cases, so a change alone decides whether it passes. FUZZ=<cases> tries others each time.
if (!process.env.FUZZ) fc.configureGlobal({ seed: 20_261_124 })
