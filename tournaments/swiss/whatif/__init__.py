"""What if: who reaches the cut if he wins, draws or loses, in the last two Swiss rounds."""
