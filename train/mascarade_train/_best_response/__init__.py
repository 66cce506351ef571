"""What an agent leaves to gain: a best response, trained against copies of it."""
