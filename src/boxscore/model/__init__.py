"""What is evaluated and what comes out: thin Python over the kernel's columns."""
